"""DG01xx: the text and its encoding, before it is a document."""

from .declare import ERROR, code

DOCUMENT_TOO_LARGE = code(
    "DG0101",
    "document-too-large",
    ERROR,
    "the document has {size} bytes, at most {limit} are read",
    why="A definition is read, checked and kept as a whole, so its size is bounded.",
    remedy="Move data out of the definition, or split it into workflows that call each other.",
)
INVALID_ENCODING = code(
    "DG0102",
    "invalid-encoding",
    ERROR,
    "the document is not readable text: {problem}",
    why="A definition is UTF-8 text, or UTF-16 text that starts with a byte order mark. "
    "Guessing another encoding would change names and expressions silently.",
    remedy="Save the file as UTF-8.",
)
DUPLICATE_KEY = code(
    "DG0103",
    "duplicate-key",
    ERROR,
    "the key `{key}` stands twice in this mapping, first in line {first}",
    why="Readers disagree about which of two equal keys counts, and one of the values is lost.",
    remedy="Remove one of the two, or rename it.",
    bad="serverless-workflow/document/invalid-duplicate-key.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
CONTROL_CHARACTER = code(
    "DG0104",
    "control-character",
    ERROR,
    "the character {character} may not stand in a document",
    why="Control characters and exotic line ends are invisible, and editors, terminals and "
    "parsers disagree about what they do.",
    remedy="Remove it, or write it as an escape inside double quotes.",
    bad="serverless-workflow/document/invalid-control-character.yaml",
    good="serverless-workflow/document/escaped-characters.yaml",
)
YAML_SYNTAX = code(
    "DG0105",
    "yaml-syntax",
    ERROR,
    "this is not YAML: {problem}",
    why="The text cannot be read as YAML 1.2 from here on.",
    remedy="Look at the indentation and the quotes of this line and of the one before it.",
    bad="serverless-workflow/document/invalid-yaml.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
JSON_SYNTAX = code(
    "DG0106",
    "json-syntax",
    ERROR,
    "this is not JSON: {problem}",
    why="The text cannot be read as JSON from here on.",
    remedy="Look for a missing comma, quote or bracket before this place.",
    bad="serverless-workflow/document/invalid-json.json",
    good="serverless-workflow/document/minimal.json",
)
TAB_INDENTATION = code(
    "DG0107",
    "tab-indentation",
    ERROR,
    "a tab stands in the indentation",
    why="YAML allows spaces only there, because the width of a tab is a matter of taste.",
    remedy="Indent with spaces.",
    bad="serverless-workflow/document/invalid-tab-indentation.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
EMPTY_DOCUMENT = code(
    "DG0108",
    "empty-document",
    ERROR,
    "the document is empty",
    why="There is nothing in the text besides spaces and comments.",
    remedy="Write a workflow with its `document` and `do`, or the `definitions` of a BPMN file.",
    bad="serverless-workflow/document/invalid-empty.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
SEVERAL_DOCUMENTS = code(
    "DG0109",
    "several-documents",
    ERROR,
    "a second document starts here",
    why="A file is one definition; a second one in the same text would be ignored or would "
    "replace the first, depending on the reader.",
    remedy="Put each definition into a file of its own.",
    bad="serverless-workflow/document/invalid-several-documents.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
NESTING_TOO_DEEP = code(
    "DG0110",
    "nesting-too-deep",
    ERROR,
    "mappings and lists are nested deeper than {limit} levels",
    why="Depth is bounded because every later step walks the document.",
    remedy="Move inner tasks into functions or into workflows of their own.",
)
TOO_MANY_NODES = code(
    "DG0111",
    "too-many-nodes",
    ERROR,
    "the document has more than {limit} keys and values",
    why="The number of values is bounded because every later step walks the document.",
    remedy="Move data out of the definition, or split it into workflows that call each other.",
)
ALIASES_TOO_LARGE = code(
    "DG0112",
    "aliases-too-large",
    ERROR,
    "with `*{alias}` written out the document would grow beyond its limit of {limit} values",
    why="A few lines of nested aliases can stand for billions of values, so an alias counts as "
    "much as what it repeats.",
    remedy="Repeat less, or use functions and named policies below `use` instead of aliases.",
)
ALIAS_CYCLE = code(
    "DG0113",
    "alias-cycle",
    ERROR,
    "`*{alias}` stands inside the value that it repeats",
    why="A value that holds itself has no end and cannot be written as JSON.",
    remedy="Remove the alias, or anchor an inner part.",
    bad="serverless-workflow/document/invalid-alias-cycle.yaml",
    good="serverless-workflow/document/aliases.yaml",
)
UNKNOWN_ALIAS = code(
    "DG0114",
    "unknown-alias",
    ERROR,
    "no value before this place is anchored as `&{alias}`",
    why="An alias repeats a value that was anchored earlier in the same text.",
    remedy="Anchor the value, or quote the text if it only starts with an asterisk.",
    bad="serverless-workflow/document/invalid-unknown-alias.yaml",
    good="serverless-workflow/document/aliases.yaml",
)
CUSTOM_TAG = code(
    "DG0115",
    "custom-tag",
    ERROR,
    "the tag `{tag}` is not one of YAML's core tags",
    why="Other tags ask the reader for objects of a programming language, dates or binary data, "
    "none of which a definition can hold.",
    remedy="Remove the tag; quote the text if it only starts with an exclamation mark.",
    bad="serverless-workflow/document/invalid-custom-tag.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
TAG_MISMATCH = code(
    "DG0116",
    "tag-mismatch",
    ERROR,
    "the tag `{tag}` does not fit `{text}`",
    why="An explicit tag says of which type a value is, and this value is not of that type.",
    remedy="Remove the tag or correct the value.",
)
YAML_DIRECTIVE = code(
    "DG0117",
    "yaml-directive",
    ERROR,
    "the directive `{directive}` is not read",
    why="Directives besides `%YAML` declare tags, and documents have only the core ones.",
    remedy="Remove the line.",
)
NON_STRING_KEY = code(
    "DG0118",
    "non-string-key",
    ERROR,
    "the key `{key}` is not a string",
    why="A definition is JSON data, in which every key is a string.",
    remedy="Quote the key.",
    bad="serverless-workflow/document/invalid-non-string-key.yaml",
    good="serverless-workflow/document/quoted-keys.yaml",
)
MERGE_KEY = code(
    "DG0119",
    "merge-key",
    ERROR,
    "the merge key `<<` does not merge",
    why="YAML 1.2 has no merge keys: some readers merge, others keep a key called `<<`.",
    remedy="Repeat the properties, or declare them below `use` and name them. "
    'A key that is really called so is written `"<<"`.',
    bad="serverless-workflow/document/invalid-merge-key.yaml",
    good="serverless-workflow/document/aliases.yaml",
)
NUMBER_NOT_FINITE = code(
    "DG0120",
    "number-not-finite",
    ERROR,
    "`{text}` is not a finite number",
    why="JSON has no infinity and no NaN, and a number beyond 1.8e308 would become infinity.",
    remedy="Write a finite number, or quote the text.",
)
NUMBER_TOO_LONG = code(
    "DG0121",
    "number-too-long",
    ERROR,
    "a number of more than {limit} digits is not read",
    why="Integers are kept exactly, and reading very long ones takes quadratic time.",
    remedy="Quote the digits, or write a shorter number.",
)
LONE_SURROGATE = code(
    "DG0122",
    "lone-surrogate",
    ERROR,
    "an escape stands for no character, or for half of one",
    why="Escapes between \\ud800 and \\udfff are characters only in pairs; half a pair cannot be "
    "written to any file.",
    remedy="Write the character itself, or both halves of its escape.",
)
KEY_TOO_LONG = code(
    "DG0123",
    "key-too-long",
    ERROR,
    "a key has more than {limit} characters",
    why="Keys are the names of tasks and properties and parts of every pointer.",
    remedy="Shorten the key; long text belongs into a value.",
)
