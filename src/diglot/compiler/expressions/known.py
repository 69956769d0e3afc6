"""The functions jq 1.8 knows, by name and number of parameters, and what each is to us.

Source: jq 1.8 manual; the table is compared with the `builtins` of the library in the tests.
"""

from __future__ import annotations

from re import findall


def _table(names: str) -> frozenset[tuple[str, int]]:
    """`"a/0 b/1,2"` as {("a", 0), ("b", 1), ("b", 2)}."""
    return frozenset(
        (name, int(arity))
        for name, arities in findall(r"(\w+)/([\d,]+)", names)
        for arity in arities.split(",")
    )


#: What the closures carry; the rest goes to the evaluator processes.
PLAIN = _table(
    """
    IN/1,2 INDEX/1,2 abs/0 add/0,1 all/0,1,2 any/0,1,2 arrays/0 ascii_downcase/0 ascii_upcase/0
    booleans/0 bsearch/1 ceil/0 combinations/0,1 contains/1 del/1 delpaths/1 empty/0 endswith/1
    error/0,1 explode/0 fabs/0 finites/0 first/0,1 flatten/0,1 floor/0 format/1 from_entries/0
    fromdate/0 fromdateiso8601/0 fromjson/0 getpath/1 gmtime/0 group_by/1 has/1 have_decnum/0
    have_literal_numbers/0 implode/0 in/1 index/1 indices/1 infinite/0 inside/1 isempty/1
    isfinite/0 isinfinite/0 isnan/0 isnormal/0 iterables/0 join/1 keys/0 keys_unsorted/0 last/0,1
    length/0 limit/2 ltrim/0 ltrimstr/1 map/1 map_values/1 max/0 max_by/1 min/0 min_by/1 mktime/0
    nan/0 normals/0 not/0 nth/1,2 nulls/0 numbers/0 objects/0 path/1 paths/0,1 pick/1 pow/2
    range/1,2,3 recurse/0,1,2 repeat/1 reverse/0 rindex/1 round/0 rtrim/0 rtrimstr/1 scalars/0
    select/1 setpath/2 skip/2 sort/0 sort_by/1 split/1 sqrt/0 startswith/1 strings/0
    to_entries/0 toboolean/0 todate/0 todateiso8601/0 tojson/0 tonumber/0 tostring/0 transpose/0
    trim/0 trimstr/1 trunc/0 type/0 unique/0 unique_by/1 until/2 utf8bytelength/0 values/0
    walk/1 while/2 with_entries/1
    """
)

#: Pure, but rare or bound to jq's own regular expressions and C library.
_REFERENCE_ONLY = _table(
    """
    JOIN/2,3,4 acos/0 acosh/0 asin/0 asinh/0 atan/0 atan2/2 atanh/0 builtins/0 capture/1,2 cbrt/0
    copysign/2 cos/0 cosh/0 drem/2 erf/0 erfc/0 exp/0 exp10/0 exp2/0 expm1/0 fdim/2 fma/3 fmax/2
    fmin/2 fmod/2 frexp/0 fromstream/1 gamma/0 gsub/2,3 hypot/2 j0/0 j1/0 jn/2 ldexp/2 lgamma/0
    lgamma_r/0 log/0 log10/0 log1p/0 log2/0 logb/0 match/1,2 modf/0 nearbyint/0 nextafter/2
    nexttoward/2 remainder/2 rint/0 scalb/2 scalbln/2 scan/1,2 significand/0 sin/0 sinh/0 split/2
    splits/1,2 strftime/1 strptime/1 sub/2,3 tan/0 tanh/0 test/1,2 tgamma/0 tostream/0
    truncate_stream/1 y0/0 y1/0 yn/2
    """
)

#: What reads the process, the clock or other files, or speaks to the outside.
FORBIDDEN = _table(
    """
    debug/0,1 env/0 get_jq_origin/0 get_prog_origin/0 get_search_list/0 halt/0 halt_error/0,1
    input/0 input_filename/0 input_line_number/0 inputs/0 localtime/0 modulemeta/0 stderr/0
    strflocaltime/1
    """
)

#: The time of the evaluation; read from the variable of this name, which the engine binds.
NOW = ("now", 0)
NOW_VARIABLE = "__now"

#: Variables that jq binds itself, all of them to the outside.
FORBIDDEN_VARIABLES = frozenset(("ENV", "__prog_args"))

KNOWN = PLAIN | _REFERENCE_ONLY | FORBIDDEN | {NOW}

#: Functions whose every result is true or false.
BOOLEAN = _table(
    """
    IN/1,2 all/0,1,2 any/0,1,2 contains/1 endswith/1 has/1 have_decnum/0 have_literal_numbers/0
    in/1 inside/1 isempty/1 isfinite/0 isinfinite/0 isnan/0 isnormal/0 not/0 startswith/1 test/1,2
    toboolean/0
    """
)

#: Functions none of whose results is true or false.
NEVER_BOOLEAN = _table(
    """
    INDEX/1,2 ascii_downcase/0 ascii_upcase/0 bsearch/1 ceil/0 explode/0 fabs/0 flatten/0,1
    floor/0 format/1 from_entries/0 fromdate/0 fromdateiso8601/0 gmtime/0 group_by/1 gsub/2,3
    implode/0 index/1 indices/1 infinite/0 join/1 keys/0 keys_unsorted/0 length/0 ltrim/0
    ltrimstr/1 map/1 match/1,2 mktime/0 nan/0 now/0 path/1 paths/0,1 pow/2 range/1,2,3 reverse/0
    rindex/1 round/0 rtrim/0 rtrimstr/1 sort/0 sort_by/1 split/1,2 splits/1,2 sqrt/0 strftime/1
    strptime/1 sub/2,3 to_entries/0 todate/0 todateiso8601/0 tojson/0 tonumber/0 tostring/0
    transpose/0 trim/0 trimstr/1 trunc/0 type/0 unique/0 unique_by/1 utf8bytelength/0
    arrays/0 iterables/0 nulls/0 numbers/0 objects/0 strings/0
    """
)

#: Functions that do not look at their input (their arguments may).
BLIND = _table("empty/0 error/1 infinite/0 nan/0 now/0 range/1,2,3 have_decnum/0 pow/2")
