"""The functions of FEEL: what each takes and what it becomes.

Source: DMN 1.5, 10.3.4; Camunda's are marked.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Rule(NamedTuple):
    """A function of so many arguments: `.` of the template is the first one, `@1`, `@2` the others.

    `kinds` has a letter for each argument: s(tring), n(umber), b(oolean), l(ist), c(ontext), or
    a(ny). An argument of another kind makes the result null; what is no list is a list of one.
    `names` are the parameters' names, for calls that name their arguments.
    """

    kinds: str
    template: str
    gives: str
    names: str = ""
    uses: tuple[str, ...] = ()


_ROUNDED: Final = "rounded({rule}; {scale})"


def _rounding(name: str, rule: str) -> dict[str, Rule]:
    def template(scale: str) -> str:
        return _ROUNDED.replace("{rule}", f'"{rule}"').replace("{scale}", scale)

    return {
        f"{name}/1": Rule("n", template("0"), "number?", "n", ("rounded",)),
        f"{name}/2": Rule("nn", template("@1"), "number?", "n;scale", ("rounded",)),
    }


_TEXT: Final[dict[str, Rule]] = {
    "string/1": Rule("a", "feel_text", "string?", "from", ("feel_text",)),
    "number/1": Rule("a", "feel_number", "number?", "from", ("feel_number",)),
    "number/3": Rule("aaa", "grouped(@1; @2)", "number?",
                     "from;grouping separator;decimal separator", ("grouped",)),
    "string length/1": Rule("s", "length", "number", "string"),
    "substring/2": Rule("sn", "portion(@1; null)", "string?", "string;start position",
                        ("portion",)),
    "substring/3": Rule("snn", "portion(@1; @2)", "string?", "string;start position;length",
                        ("portion",)),
    "upper case/1": Rule("s", "upper", "string", "string", ("upper",)),
    "lower case/1": Rule("s", "lower", "string", "string", ("lower",)),
    "substring before/2": Rule("ss", "before(@1)", "string", "string;match", ("before",)),
    "substring after/2": Rule("ss", "after(@1)", "string", "string;match", ("after",)),
    "contains/2": Rule("ss", "contains(@1)", "boolean", "string;match"),
    "starts with/2": Rule("ss", "startswith(@1)", "boolean", "string;match"),
    "ends with/2": Rule("ss", "endswith(@1)", "boolean", "string;match"),
    "string join/1": Rule("l", 'string_join("")', "string?", "list", ("string_join",)),
    "string join/2": Rule("la", 'string_join(@1 // "")', "string?", "list;delimiter",
                          ("string_join",)),
    "trim/1": Rule("s", "trim", "string", "string"),
    "is blank/1": Rule("s", 'trim == ""', "boolean", "string"),
    "to base64/1": Rule("s", "@base64", "string", "value"),
}  # fmt: skip

_NUMBERS: Final[dict[str, Rule]] = {
    "decimal/2": Rule("nn", 'rounded("even"; @1)', "number?", "n;scale", ("rounded",)),
    **_rounding("floor", "floor"),
    **_rounding("ceiling", "ceiling"),
    **_rounding("round up", "up"),
    **_rounding("round down", "down"),
    **_rounding("round half up", "half up"),
    **_rounding("round half down", "half down"),
    "abs/1": Rule("a", "absolute", "any", "n", ("absolute",)),
    "modulo/2": Rule("nn", "if @1 == 0 then null else . - @1 * (. / @1 | floor) end", "number?",
                     "dividend;divisor"),
    "sqrt/1": Rule("n", "if . < 0 then null else sqrt end", "number?", "number"),
    "log/1": Rule("n", "if . > 0 then log else null end", "number?", "number"),
    "exp/1": Rule("n", "exp", "number?", "number"),
    "odd/1": Rule("n", ". == trunc and . %% 2 != 0", "boolean", "number"),
    "even/1": Rule("n", ". == trunc and . %% 2 == 0", "boolean", "number"),
}  # fmt: skip

#: These take a list, or its items as arguments.
_LISTS: Final[dict[str, Rule]] = {
    "count/1": Rule("l", "length", "number", "list"),
    "min/1": Rule("l", "extreme(min)", "any", "list", ("extreme",)),
    "max/1": Rule("l", "extreme(max)", "any", "list", ("extreme",)),
    "sum/1": Rule("l", "of_numbers(add)", "number?", "list", ("of_numbers",)),
    "product/1": Rule("l", "of_numbers(reduce .[] as $n (1; . * $n))", "number?", "list",
                      ("of_numbers",)),
    "mean/1": Rule("l", "of_numbers(add / length)", "number?", "list", ("of_numbers",)),
    "median/1": Rule(
        "l", "of_numbers(sort | if length %% 2 == 1 then .[length / 2 | floor] "
        "else (.[length / 2 - 1] + .[length / 2]) / 2 end)", "number?", "list", ("of_numbers",)),
    "stddev/1": Rule(
        "l", "of_numbers(if length < 2 then null else (add / length) as $mean "
        "| (map(. - $mean | . * .) | add) / (length - 1) | sqrt end)", "number?", "list",
        ("of_numbers",)),
    "mode/1": Rule(
        "l", "if length == 0 then [] else of_numbers(group_by(.) | (map(length) | max) as $most "
        "| map(select(length == $most)[0])) end", "list?", "list", ("of_numbers",)),
    "all/1": Rule("l", "conjunction", "boolean?", "list", ("conjunction",)),
    "any/1": Rule("l", "disjunction", "boolean?", "list", ("disjunction",)),
    "concatenate/1": Rule("l", "map(many) | if any(. == null) then null else add // [] end",
                          "list?", "list", ("many",)),
    "union/1": Rule("l", "map(many) | if any(. == null) then null else add // [] | distinct end",
                    "list?", "list", ("many", "distinct")),
}  # fmt: skip

_ITEMS: Final[dict[str, Rule]] = {
    "list contains/2": Rule("la", "any(equal(.; @1) == true)", "boolean", "list;element",
                            ("equal",)),
    "sublist/2": Rule("ln", "part(@1; null)", "list?", "list;start position", ("part",)),
    "sublist/3": Rule("lnn", "part(@1; @2)", "list?", "list;start position;length", ("part",)),
    "insert before/3": Rule("lna", "placed(@1) as $at | if $at == null then null "
                            "else .[:$at] + [@2] + .[$at:] end", "list?",
                            "list;position;newItem", ("placed",)),
    "remove/2": Rule("ln", "placed(@1) as $at | if $at == null then null "
                     "else .[:$at] + .[$at + 1:] end", "list?", "list;position", ("placed",)),
    "list replace/3": Rule("lna", "placed(@1) as $at | if $at == null then null "
                           "else .[:$at] + [@2] + .[$at + 1:] end", "list?",
                           "list;position;newItem", ("placed",)),
    "reverse/1": Rule("l", "reverse", "list", "list"),
    "index of/2": Rule("la", "[range(0; length) as $at | select(equal(.[$at]; @1) == true) "
                       "| $at + 1]", "list", "list;match", ("equal",)),
    "distinct values/1": Rule("l", "distinct", "list", "list", ("distinct",)),
    "duplicate values/1": Rule("l", ". as $all | distinct | map(. as $one "
                               "| select([$all[] | select(equal(.; $one) == true)] | length > 1))",
                               "list", "list", ("distinct", "equal")),
    "flatten/1": Rule("l", "flatten", "list", "list"),
    "is empty/1": Rule("l", "length == 0", "boolean", "list"),
    "partition/2": Rule("ln", "if @1 < 1 then null else [range(0; length; @1) as $at "
                        "| .[$at:$at + @1]] end", "list?", "list;size"),
}  # fmt: skip

_CONTEXTS: Final[dict[str, Rule]] = {
    "get value/2": Rule("ca", "found(@1)", "any", "context;key", ("found",)),
    "get entries/1": Rule("c", "to_entries", "list", "context"),
    "context put/3": Rule("caa", "put(@1; @2)", "object?", "context;key;value", ("put",)),
    "context merge/1": Rule("l", 'if all(type == "object") then add // {} else null end',
                            "object?", "contexts"),
    "context/1": Rule("l", 'if all(type == "object" and (.key | type) == "string" '
                      'and has("value")) then from_entries else null end', "object?", "entries"),
    "is defined/1": Rule("a", ". != null", "boolean", "value"),
    "get or else/2": Rule("aa", "if . == null then @1 else . end", "any", "value;default"),
}  # fmt: skip

_TIMES: Final[dict[str, Rule]] = {
    "date/1": Rule("s", "to_date", "date?", "from", ("to_date",)),
    "date/3": Rule("nnn", "made_date(@1; @2)", "date?", "year;month;day", ("made_date",)),
    "time/1": Rule("s", "to_time", "time?", "from", ("to_time",)),
    "time/3": Rule("nnn", "made_time(@1; @2)", "time?", "hour;minute;second", ("made_time",)),
    "date and time/1": Rule("s", "to_moment", "moment?", "from", ("to_moment",)),
    "date and time/2": Rule("ss", "joined_moment(@1)", "moment?", "date;time",
                            ("joined_moment",)),
    "duration/1": Rule("s", "to_duration", "duration?", "from", ("to_duration",)),
    "years and months duration/2": Rule("ss", "months_until(@1)", "duration?", "from;to",
                                        ("months_until",)),
    "day of week/1": Rule("s", "day_of_week", "string?", "date", ("day_of_week",)),
    "day of year/1": Rule("s", "day_of_year", "number?", "date", ("day_of_year",)),
    "week of year/1": Rule("s", "week_of_year", "number?", "date", ("week_of_year",)),
    "month of year/1": Rule("s", "month_of_year", "string?", "date", ("month_of_year",)),
    "last day of month/1": Rule("s", "last_day_of_month", "date?", "date",
                                ("last_day_of_month",)),
}  # fmt: skip

RULES: Final[dict[str, Rule]] = {
    **_TEXT, **_NUMBERS, **_LISTS, **_ITEMS, **_CONTEXTS, **_TIMES,
}  # fmt: skip

#: Functions of a list that take its items as arguments as well.
VARIADIC: Final = frozenset(name.partition("/")[0] for name in _LISTS) | {"context merge"}

#: Written for what is asked of them in `feel_calls`.
SPECIAL: Final = frozenset(
    ("not", "now", "today", "matches", "replace", "split", "append", "is", "@", "put", "put all")
)

#: Known, and refused with a reason.
REFUSED: Final[dict[str, str]] = {
    "random number": "it would not be the same when the expression is run again",
    "uuid": "it would not be the same when the expression is run again",
    "sort": "functions of one's own are not carried",
    "list replace": "a function of one's own decides there",
    "extract": "regular expressions that extract are not carried",
    "from ai": "it is asked of a model, and is no value of the process",
    "assert": "an expression has no way to fail on purpose here",
    **dict.fromkeys(
        ("before", "after", "meets", "met by", "overlaps", "overlaps before", "overlaps after",
         "finishes", "finished by", "includes", "during", "starts", "started by", "coincides"),
        "a range is no value here",
    ),
}  # fmt: skip

NAMES: Final = frozenset(
    (*(name.partition("/")[0] for name in RULES), *SPECIAL, *REFUSED)
)  # fmt: skip
