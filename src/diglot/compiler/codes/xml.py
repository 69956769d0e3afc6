"""DG11xx: the text of XML, and the shape of a BPMN document against the standard's schemas."""

from .declare import ERROR, WARNING, code

XML_SYNTAX = code(
    "DG1101",
    "xml-syntax",
    ERROR,
    "this is not well-formed XML: {problem}",
    why="The text cannot be read as XML from here on, and no reader repairs it.",
    remedy="Look at the tags and quotes of this line and of the one before it.",
    bad="bpmn/definitions/invalid-mismatched-tag.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
DOCUMENT_TYPE = code(
    "DG1102",
    "document-type",
    ERROR,
    "a document type declaration is not read",
    why="It can declare entities that read other files or grow without end. BPMN has schemas and "
    "needs none.",
    remedy="Remove `<!DOCTYPE ...>`; write characters as they are, or as `&#8364;`.",
    bad="bpmn/definitions/invalid-document-type.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
ELEMENTS_TOO_DEEP = code(
    "DG1103",
    "elements-too-deep",
    ERROR,
    "elements are nested deeper than {limit} levels",
    why="Depth is bounded because every later step walks the document.",
    remedy="Move inner sub-processes into processes that are called.",
)
TOO_MANY_ELEMENTS = code(
    "DG1104",
    "too-many-elements",
    ERROR,
    "the document has more than {limit} elements",
    why="Their number is bounded because every later step walks the document.",
    remedy="Split the model into files that call each other's processes.",
)
TOO_MANY_ATTRIBUTES = code(
    "DG1105",
    "too-many-attributes",
    ERROR,
    "one element has more than {limit} attributes",
    why="No element of any known tool comes near this number.",
    remedy="Move data out of the model, or into elements below `extensionElements`.",
)
ENCODING_WRONG = code(
    "DG1106",
    "encoding-wrong",
    WARNING,
    "the file is not encoded as it should be: {problem}; it is read as {taken}",
    why="Names and expressions may have changed, where the guess is wrong.",
    remedy="Save the file as UTF-8, and let the XML declaration say so.",
    bad="bpmn/definitions/invalid-encoding.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
NOT_BPMN = code(
    "DG1107",
    "not-bpmn",
    ERROR,
    "this is not a BPMN 2.0 document: it is {found}",
    why="A BPMN 2.0 document is `definitions` of the namespace "
    "`http://www.omg.org/spec/BPMN/20100524/MODEL`.",
    remedy="Export the model as BPMN 2.0 XML.",
    bad="bpmn/definitions/invalid-not-bpmn.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
NAMESPACE_MISSING = code(
    "DG1108",
    "namespace-missing",
    WARNING,
    "`{element}` is in no namespace, it is read as BPMN 2.0",
    why="Elements belong to BPMN by their namespace; other readers will not know this one.",
    remedy='Write `xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"` at `definitions`.',
    bad="bpmn/definitions/invalid-no-namespace.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
NAMESPACE_VARIANT = code(
    "DG1109",
    "namespace-variant",
    WARNING,
    "`{namespace}` is read as `{known}`",
    why="Drafts of BPMN 2.0 and some tools wrote the namespace otherwise.",
    remedy="Write the namespace of the standard.",
    bad="bpmn/definitions/invalid-namespace-variant.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
NAMESPACE_NOT_A_URI = code(
    "DG1110",
    "namespace-not-a-uri",
    WARNING,
    "the namespace `{namespace}` is not a URI",
    why="Several XML readers refuse a file with such a namespace.",
    remedy="Write it without spaces, or escape them as %20.",
    bad="bpmn/definitions/invalid-namespace-with-space.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
PREFIX_UNDECLARED = code(
    "DG1111",
    "prefix-undeclared",
    WARNING,
    "the prefix `{prefix}` is not declared, {taken}",
    why="A prefix stands for a namespace only where `xmlns:` declares it; other readers refuse "
    "the file.",
    remedy="Declare the prefix at `definitions`.",
    bad="bpmn/definitions/invalid-prefix-undeclared.bpmn",
    good="bpmn/definitions/prefixes.bpmn",
)
ATTRIBUTE_QUALIFIED = code(
    "DG1112",
    "attribute-qualified",
    WARNING,
    "the attribute `{name}` is read as `{local}`",
    why="Attributes of the standard have no prefix; other readers take this one for foreign.",
    remedy="Remove the prefix.",
    bad="bpmn/definitions/invalid-qualified-attribute.bpmn",
    good="bpmn/definitions/prefixes.bpmn",
)
TARGET_NAMESPACE_MISSING = code(
    "DG1113",
    "target-namespace-missing",
    WARNING,
    "`definitions` has no `targetNamespace`",
    why="References from other files name an element by this namespace and its id.",
    remedy='Write a URI of your own, as `targetNamespace="https://example.com/orders"`.',
    bad="bpmn/definitions/invalid-no-target-namespace.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
UNKNOWN_ELEMENT = code(
    "DG1120",
    "unknown-element",
    ERROR,
    "BPMN has no element `{element}`",
    why="What nobody knows cannot be run, and leaving it out would change the model.",
    remedy="Correct the name; what is not of the standard belongs below `extensionElements`.",
    bad="bpmn/definitions/invalid-unknown-element.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
MISPLACED_ELEMENT = code(
    "DG1121",
    "misplaced-element",
    ERROR,
    "`{element}` cannot stand in `{owner}`",
    why="The standard gives an element its meaning by where it stands.",
    remedy="Move the element to where it belongs.",
    bad="bpmn/definitions/invalid-misplaced-element.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
ELEMENT_ORDER = code(
    "DG1122",
    "element-order",
    WARNING,
    "`{element}` comes after `{before}` in `{owner}`, it belongs before it",
    why="The schemas of BPMN fix the order of children, so that validating readers refuse the "
    "file. It is read as if it were in order.",
    remedy="Move the element.",
    bad="bpmn/definitions/invalid-element-order.bpmn",
    good="bpmn/definitions/documentation.bpmn",
)
TOO_MANY_CHILDREN = code(
    "DG1123",
    "too-many-children",
    WARNING,
    "`{owner}` has {found} `{element}`, at most {most} can be there",
    why="Readers disagree about which of them counts. The first one is read.",
    remedy="Keep one of them.",
    bad="bpmn/definitions/invalid-two-extension-elements.bpmn",
    good="bpmn/definitions/prefixes.bpmn",
)
CHILD_MISSING = code(
    "DG1124",
    "child-missing",
    WARNING,
    "`{owner}` has no `{element}`",
    why="The schemas of BPMN want it, though it can be read without.",
    remedy="Add the element.",
    bad="bpmn/definitions/invalid-child-missing.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
UNKNOWN_ATTRIBUTE = code(
    "DG1125",
    "unknown-attribute",
    WARNING,
    "`{owner}` has no attribute `{attribute}`",
    why="Nobody reads it. It is usually misspelt, or one of a vendor's without its prefix.",
    remedy="Correct the name or remove the attribute.",
    bad="bpmn/definitions/invalid-unknown-attribute.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
ATTRIBUTE_MISSING = code(
    "DG1126",
    "attribute-missing",
    ERROR,
    "`{owner}` has no `{attribute}`",
    why="Without it the element has no meaning.",
    remedy="Add the attribute.",
    bad="bpmn/definitions/invalid-attribute-missing.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
ATTRIBUTE_VALUE = code(
    "DG1127",
    "attribute-value",
    ERROR,
    "`{attribute}` of `{owner}` is `{value}`, expected {expected}",
    why="The value is none that the standard gives a meaning.",
    remedy="Write one of the values that are expected.",
    bad="bpmn/definitions/invalid-attribute-value.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
ID_TWICE = code(
    "DG1128",
    "id-twice",
    ERROR,
    "the id `{id}` is taken by a `{other}` in line {line}",
    why="References name an element by its id, so that it is not clear which one they mean.",
    remedy="Give one of the two another id.",
    bad="bpmn/definitions/invalid-id-twice.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
ID_MALFORMED = code(
    "DG1129",
    "id-malformed",
    WARNING,
    "`{id}` is no id of XML",
    why="An id begins with a letter or `_` and has only letters, digits, `.`, `-` and `_`; "
    "validating readers refuse others.",
    remedy="Put a letter in front, and `_` in the place of other characters.",
    bad="bpmn/definitions/invalid-id-malformed.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
REFERENCE_UNRESOLVED = code(
    "DG1130",
    "reference-unresolved",
    ERROR,
    "`{attribute}` of `{owner}` names `{reference}`, which is nowhere in this file",
    why="The element that it names is what gives this one its meaning.",
    remedy="Correct the id, or add the element.",
    bad="bpmn/definitions/invalid-reference-unresolved.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
FOREIGN_ELEMENT_MISPLACED = code(
    "DG1131",
    "foreign-element-misplaced",
    WARNING,
    "`{element}` of another namespace stands outside of `extensionElements`",
    why="Validating readers refuse it there. It is kept, and not read.",
    remedy="Move it into the `extensionElements` of the same element.",
    bad="bpmn/definitions/invalid-foreign-element.bpmn",
    good="bpmn/definitions/prefixes.bpmn",
)
STRAY_TEXT = code(
    "DG1132",
    "stray-text",
    WARNING,
    "the text `{text}` in `{owner}` is not read",
    why="This element holds other elements and no text; it may be a part of a broken tag.",
    remedy="Remove it, or move it into `documentation`.",
    bad="bpmn/definitions/invalid-stray-text.bpmn",
    good="bpmn/definitions/minimal.bpmn",
)
