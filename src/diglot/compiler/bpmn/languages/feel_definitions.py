"""The definitions of jq that FEEL stands on: a wrong type makes null, and nothing fails.

`time` texts are ISO 8601. Times are read into records: `kind` is date, moment, time, span or
months; `s` and `n` are seconds and nanoseconds, `zone` the text of the zone and `offset` its
seconds; a local time has no offset. Source: DMN 1.5, 10.3.2 and 10.3.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from .definitions import read_definitions, text_definitions

_LOGIC: Final = r"""
def conjunction: if any(. == false) then false elif all(. == true) then true else null end;
def disjunction: if any(. == true) then true elif all(. == false) then false else null end;
def equal($a; $b): ($a | type) as $kind | if $a == null or $b == null then $a == $b
  elif $kind != ($b | type) then null
  elif $kind == "array" then if ($a | length) != ($b | length) then false
    else [range(0; $a | length) as $at | equal($a[$at]; $b[$at])] | conjunction end
  elif $kind == "object" then if ($a | keys) != ($b | keys) then false
    else [$a | keys[] as $key | equal($a[$key]; $b[$key])] | conjunction end
  else $a == $b end;
def unequal($a; $b): equal($a; $b) | if . == null then null else not end;
def less($a; $b): ($a | type) as $kind
  | if ($kind == "number" or $kind == "string") and $kind == ($b | type) then $a < $b
    else null end;
def most($a; $b): less($b; $a) | if . == null then null else not end;
def numbers_only($a; $b): ($a | type) == "number" and ($b | type) == "number";
def plus($a; $b): if numbers_only($a; $b) or (($a | type) == "string" and ($b | type) == "string")
  then $a + $b else null end;
def minus($a; $b): if numbers_only($a; $b) then $a - $b else null end;
def times($a; $b): if numbers_only($a; $b) then $a * $b else null end;
def over($a; $b): if numbers_only($a; $b) and $b != 0 then $a / $b else null end;
def power($a; $b): if numbers_only($a; $b) then pow($a; $b)
  | if isnan or isinfinite then null else . end else null end;
def within($value; $test): if ($test | type) == "array" then $test | any(equal(.; $value) == true)
  else equal($value; $test) end;
"""

_PARTS: Final = r"""
def many: if type == "array" or . == null then . else [.] end;
def get($name): if type == "object" then .[$name] elif type == "array" then map(get($name))
  else null end;
def found($key): if ($key | type) == "string" then .[$key]
  elif ($key | type) == "array" then reduce $key[] as $step (.; if type == "object" and
    ($step | type) == "string" then .[$step] else null end) else null end;
def put($key; $value): if ($key | type) == "string" then .[$key] = $value
  elif ($key | type) == "array" and ($key | length > 0 and all(type == "string"))
  then reduce range(0; $key | length) as $depth ({ok: true, all: .};
    if .ok and (.all | getpath($key[:$depth]) | . == null or type == "object") then .
    else .ok = false end) | if .ok then .all | setpath($key; $value) else null end
  else null end;
def pick($item; $name; outer): if ($item | type) == "object" and ($item | has($name))
  then $item[$name] else outer end;
def steps($from; $to): if numbers_only($from; $to) then
  if $from <= $to then [range($from; $to + 1)] else [range($from; $to - 1; -1)] end
  else null end;
def item($place): many | if . == null or $place == 0 or $place != ($place | trunc) then null
  elif $place > 0 then .[$place - 1] else .[$place] end;
def placed($place): if $place == 0 or $place != ($place | trunc) then null
  elif $place > 0 then if $place > length then null else $place - 1 end
  elif length + $place < 0 then null else length + $place end;
def part($start; $count): placed($start) as $from | if $from == null then null
  elif $count == null then .[$from:]
  elif $count < 0 or $from + $count > length then null else .[$from:$from + $count] end;
def portion($start; $count): ($start | trunc) as $at
  | if $at == 0 or ($count != null and $count < 0) then null
    else (if $at > 0 then $at - 1 else length + $at end) as $from
    | if $from < 0 or $from >= length then "" elif $count == null then .[$from:]
      else .[$from:$from + ($count | trunc)] end end;
def before($part): if $part == "" then "" else index($part) as $at
  | if $at == null then "" else .[:$at] end end;
def after($part): if $part == "" then . else index($part) as $at
  | if $at == null then "" else .[$at + ($part | length):] end end;
def distinct: reduce .[] as $one ([]; if any(equal(.; $one) == true) then . else . + [$one] end);
def string_join($between): map(select(. != null))
  | if all(type == "string") and ($between | type) == "string" then join($between) else null end;
def feel_text: if . == null or type == "string" then .
  elif type == "number" or type == "boolean" then tostring
  else error("the text of a list or a context is not settled") end;
def feel_number: if type == "number" then . elif type != "string" then null
  else (ltrimstr("-") | split(".")) as $parts
  | if ($parts | length) < 3 and ($parts | length > 0 and all(digits)) then tonumber
    else null end end;
def grouped($group; $point): if type != "string" or ($group | IN(null, " ", ",", ".") | not)
  or ($point | IN(null, ",", ".") | not) or ($group != null and $group == $point) then null
  else (if $group == null then . else split($group) | join("") end)
  | (if $point == null then . else split($point) | join(".") end) | feel_number end;
def of_numbers(f): if length > 0 and all(type == "number") then f else null end;
def extreme(f): (.[0] | type) as $kind
  | if ($kind == "number" or $kind == "string") and all(type == $kind) then f else null end;
def zeros($count): [range(0; $count) | "0"] | join("");
def rounded($rule; $scale): if $scale != ($scale | trunc) or $scale < 0 or $scale > 15 then null
  else (if . < 0 then -1 else 1 end) as $sign | fabs
  | if (tostring | test_e) then if . < 1 then [0, "0000000000000001"] else [., ""] end
    else (tostring | split(".")) as $parts | (($parts[1] // "") + zeros($scale)) as $rest
    | [($parts[0] + $rest[:$scale] | tonumber),
       (($parts[1] // "")[$scale:] | if all_zeros then "" else . end)] end
  | .[0] as $kept | .[1] as $rest
  | (if $rest == "" then 0 elif $rest[:1] < "5" then 1
     elif $rest[:1] == "5" and ($rest[1:] | all_zeros) then 2 else 3 end) as $size
  | (if $size == 0 then false elif $rule == "up" then true elif $rule == "down" then false
     elif $rule == "floor" then $sign < 0 elif $rule == "ceiling" then $sign > 0
     elif $rule == "half up" then $size > 1 elif $rule == "half down" then $size > 2
     else $size > 2 or ($size == 2 and $kept % 2 == 1) end) as $more
  | $sign * (if $more then $kept + 1 else $kept end)
    / (if $scale == 0 or (($kept | tostring | test_e)) then 1 else pow(10; $scale) end) end;
def all_zeros: . == "" or (explode | min == 48 and max == 48);
def test_e: contains("e") or contains("E");
"""

_READ: Final = r"""
def day_number: if length == 10 and .[4:5] == "-" and .[7:8] == "-"
    and (.[:4] + .[5:7] + .[8:] | digits)
  then ([.[:4], .[5:7], .[8:]] | map(tonumber)) as $date
  | ([$date[0], $date[1] - 1, $date[2], 0, 0, 0] | mktime) as $seconds
  | if ($seconds | gmtime | [.[0], .[1] + 1, .[2]]) == $date then $seconds / 86400 else null end
  else null end;
def clock: if length > 7 and .[2:3] == ":" and .[5:6] == ":" and (.[:2] + .[3:5] + .[6:8] | digits)
  then ([.[:2], .[3:5], .[6:8]] | map(tonumber)) as $parts | .[9:] as $rest
  | if $parts[0] < 24 and $parts[1] < 60 and $parts[2] < 60 and (length == 8 or
      (.[8:9] == "." and ($rest | digits) and ($rest | length) < 10))
    then {s: ($parts[0] * 3600 + $parts[1] * 60 + $parts[2]),
          n: ($rest + "000000000" | .[:9] | tonumber)}
    else null end
  else null end;
def zoned: if endswith("Z") then {text: .[:-1], zone: "Z", offset: 0}
  elif contains("@") then error("time zones are known by their offset alone: \(.)")
  elif length > 6 and (.[-6:-5] | IN("+", "-")) and .[-3:-2] == ":"
    and (.[-5:-3] + .[-2:] | digits)
  then (.[-5:-3] | tonumber) as $hours | (.[-2:] | tonumber) as $minutes
  | if $hours > 14 or $minutes > 59 then null
    else {text: .[:-6], zone: .[-6:], offset: (($hours * 3600 + $minutes * 60)
      * (if .[-6:-5] == "-" then -1 else 1 end))} end
  else {text: ., zone: "", offset: null} end;
def read_date: day_number | if . == null then null else {kind: "date", s: (. * 86400), n: 0} end;
def read_time: zoned | if . == null then null else . as $zoned | .text | clock
  | if . == null then null else {kind: "time"} + . + ($zoned | {zone, offset}) end end;
def read_moment: if .[10:11] != "T" then null else (.[:10] | day_number) as $day
  | (.[11:] | read_time) as $time | if $day == null or $time == null then null
    else $time + {kind: "moment", s: ($day * 86400 + $time.s)} end end;
def amounts($units): reduce ($units | explode[] | [.] | implode) as $unit ({rest: ., got: []};
    (.rest | index($unit)) as $at | if $at == null then .got += [null]
    else .got += [.rest[:$at]] | .rest = .rest[$at + 1:] end)
  | if .rest == "" and (.got | any(. != null)) then .got else null end;
def read_months: (if startswith("-") then -1 else 1 end) as $sign | ltrimstr("-")
  | if startswith("P") then .[1:] | amounts("YM") else null end
  | if . != null and all(. == null or digits) then map((. // "0") | tonumber)
    | {kind: "months", m: ($sign * (.[0] * 12 + .[1]))} else null end;
def carried: (.n / 1000000000 | floor) as $carry | .s += $carry | .n -= $carry * 1000000000;
def read_span: (if startswith("-") then -1 else 1 end) as $sign | ltrimstr("-")
  | if startswith("P") and (endswith("T") | not) then .[1:] | split("T") else [] end
  | if length == 1 then [.[0] | amounts("D")] elif length == 2 then
      [(.[0] | if . == "" then [null] else amounts("D") end), (.[1] | amounts("HMS"))]
    else [null] end
  | if any(. == null) then null else add + [null, null, null] | .[:4]
    | ((.[3] // "0") | split(".")) as $seconds
    | if all(.[:3][]; . == null or digits) and ($seconds | length > 0 and length < 3
        and all(digits)) and (($seconds[1] // "") | length) < 10
      then map(. // "0") | (.[:3] | map(tonumber)) as $parts
      | {kind: "span", s: ($sign * ($parts[0] * 86400 + $parts[1] * 3600 + $parts[2] * 60
           + ($seconds[0] | tonumber))),
         n: ($sign * ((($seconds[1] // "") + "000000000")[:9] | tonumber))} | carried
      else null end end;
def read_any: if type != "string" or length < 3 then null
  elif startswith("P") or startswith("-P") then read_months // read_span
  elif .[2:3] == ":" then read_time elif length == 10 then read_date else read_moment end;
"""

_WRITE: Final = r"""
def two: if . < 10 then "0\(.)" else tostring end;
def day_text: if . < -719528 or . > 2932896 then null
  else . * 86400 | gmtime | "\("000\(.[0])"[-4:])-\(.[1] + 1 | two)-\(.[2] | two)" end;
def fraction: if . == 0 then "" else "00000000\(.)"[-9:] | until(endswith("0") | not; .[:-1])
  | ".\(.)" end;
def clock_text: "\(.s / 3600 | floor | two):\(.s / 60 | floor | . % 60 | two):\(.s % 60 | two)"
  + (.n | fraction);
def negated: if .kind == "months" then .m = (0 - .m)
  else .s = (0 - .s) | .n = (0 - .n) | carried end;
def some_of($unit): if . == 0 then "" else "\(.)\($unit)" end;
def months_text: if .m < 0 then "-" + (.m = (0 - .m) | months_text) elif .m == 0 then "P0M"
  else "P" + (.m / 12 | floor | some_of("Y")) + (.m % 12 | some_of("M")) end;
def span_text: if .s < 0 then "-" + (negated | span_text)
  elif .s == 0 and .n == 0 then "PT0S"
  else (.s % 86400) as $clock | "P" + (.s / 86400 | floor | some_of("D"))
  + (if $clock == 0 and .n == 0 then "" else "T" + ($clock / 3600 | floor | some_of("H"))
     + ($clock / 60 | floor | . % 60 | some_of("M"))
     + (if $clock % 60 == 0 and .n == 0 then "" else "\($clock % 60)\(.n | fraction)S" end) end)
  end;
def write: if . == null then null elif .kind == "months" then months_text
  elif .kind == "span" then span_text
  elif .kind == "time" then clock_text + .zone
  else (.s / 86400 | floor) as $day | ($day | day_text) as $date
  | if $date == null or .kind == "date" then $date
    else "\($date)T" + (.s -= $day * 86400 | clock_text) + .zone end end;
def valid(f): if f == null then null else . end;
def to_date: if length > 10 then .[:10] as $date | if read_moment == null then null else $date end
  else valid(read_date) end;
def to_time: if .[10:11] == "T" then read_moment | if . == null then null
    else .kind = "time" | .s -= (.s / 86400 | floor) * 86400 | write end
  else read_time | write end;
def to_moment: if length == 10 then valid(read_date)
    | if . == null then null else . + "T00:00:00" end
  else read_moment | write end;
def joined_moment($time): to_date as $date | ($time | to_time) as $clock
  | if $date == null or $clock == null then null else "\($date)T\($clock)" end;
def to_duration: read_months // read_span | write;
def made_date($month; $day): if [., $month, $day] | all(. == trunc and . > -1) then
  "\("000\(.)"[-4:])-\($month | two)-\($day | two)" | valid(read_date) else null end;
def made_time($minute; $second): if [., $minute, $second] | all(. == trunc and . > -1) then
  "\(two):\($minute | two):\($second | two)" | valid(read_time) else null end;
def moment_of_now: (. * 1000 | floor) as $ms | ($ms / 1000 | floor) as $s
  | {kind: "moment", s: $s, n: (($ms - $s * 1000) * 1000000), zone: "Z"} | write;
def date_of_now: . / 86400 | floor | day_text;
"""

_COUNT: Final = r"""
def comparable: read_any | if . == null then null elif .kind == "months" then [.kind, .m]
  elif .kind == "span" then [.kind, .s, .n] elif .kind == "date" then [.kind, .s, 0]
  else ["\(.kind)\(if .offset == null then "" else "z" end)", .s - (.offset // 0), .n] end;
def sooner($a; $b): [$a, $b] | map(comparable)
  | if .[0] == null or .[1] == null or .[0][0] != .[1][0] then null else .[0] < .[1] end;
def not_sooner($a; $b): sooner($a; $b) | if . == null then null else not end;
def same_time($a; $b): if $a == null or $b == null then $a == $b else [$a, $b] | map(comparable)
  | if .[0] == null or .[1] == null or .[0][0] != .[1][0] then null else .[0] == .[1] end end;
def other_time($a; $b): same_time($a; $b) | if . == null then null else not end;
def days_from_months($months; $day): ($months / 12 | floor) as $year
  | ($months - $year * 12) as $month | ([$year, $month, 1, 0, 0, 0] | mktime / 86400) as $first
  | ([$year, $month + 1, 1, 0, 0, 0] | mktime / 86400) as $next
  | $first - 1 + ([$day, $next - $first] | min);
def months_later($count): (.s / 86400 | floor) as $day | ($day * 86400 | gmtime) as $date
  | .s += (days_from_months($date[0] * 12 + $date[1] + $count; $date[2]) - $day) * 86400;
def later($length): if $length.kind == "months" then
    if .kind == "months" then .m += $length.m
    elif .kind == "date" or .kind == "moment" then months_later($length.m) else null end
  elif .kind == "months" then null
  else .s += $length.s | .n += $length.n | carried
  | if .kind == "date" then .s = (.s / 86400 | floor) * 86400 | .n = 0
    elif .kind == "time" then .s -= (.s / 86400 | floor) * 86400 else . end end;
def is_length: .kind == "months" or .kind == "span";
def time_plus($a; $b): ($a | read_any) as $x | ($b | read_any) as $y
  | if $x == null or $y == null then null elif $y | is_length then $x | later($y) | write
    elif $x | is_length then $y | later($x) | write else null end;
def instant: if .kind == "date" then .offset = 0 else . end;
def time_minus($a; $b): ($a | read_any) as $x | ($b | read_any) as $y
  | if $x == null or $y == null then null
    elif $y | is_length then $x | later($y | negated) | write
    elif $x | is_length then null
    elif ($x.kind == "time") != ($y.kind == "time")
      or (($x | instant | .offset == null) != ($y | instant | .offset == null)) then null
    else {kind: "span", s: ($x.s - ($x.offset // 0) - $y.s + ($y.offset // 0)), n: ($x.n - $y.n)}
    | carried | write end;
def scaled(f): (.s | f) as $s | {kind: "span", s: ($s | floor),
  n: (($s - ($s | floor)) * 1000000000 + (.n | f) | round)} | carried | write;
def time_times($a; $factor): ($a | read_any) as $x
  | if $x == null or ($factor | type) != "number" or ($x | is_length | not) then null
    elif $x.kind == "months" then $x | .m = (.m * $factor | trunc) | write
    else $x | scaled(. * $factor) end;
def time_over($a; $b): ($a | read_any) as $x | if $x == null or ($x | is_length | not) then null
  elif ($b | type) == "number" then if $b == 0 then null
    elif $x.kind == "months" then $x | .m = (.m / $b | trunc) | write else $x | scaled(. / $b) end
  else ($b | read_any) as $y | if $y == null or $x.kind != $y.kind then null
    elif $x.kind == "months" then if $y.m == 0 then null else $x.m / $y.m end
    elif $y.s == 0 and $y.n == 0 then null
    else ($x.s + $x.n / 1000000000) / ($y.s + $y.n / 1000000000) end end;
def absolute: if type == "number" then fabs else read_any
  | if . == null or (is_length | not) then null
    elif (.m // .s) < 0 then negated | write else write end end;
def months_until($to): (to_date | if . == null then null else read_date end) as $a
  | ($to | to_date | if . == null then null else read_date end) as $b
  | if $a == null or $b == null then null else ($a.s | gmtime) as $x | ($b.s | gmtime) as $y
  | (($y[0] - $x[0]) * 12 + $y[1] - $x[1]) as $months
  | {kind: "months", m: (if $months > 0 and $y[2] < $x[2] then $months - 1
      elif $months < 0 and $y[2] > $x[2] then $months + 1 else $months end)} | write end;
def calendar: to_date | if . == null then null else read_date.s | gmtime end;
def day_of_week: calendar | if . == null then null else ["Sunday", "Monday", "Tuesday", "Wednesday",
  "Thursday", "Friday", "Saturday"][.[6]] end;
def month_of_year: calendar | if . == null then null else ["January", "February", "March", "April",
  "May", "June", "July", "August", "September", "October", "November", "December"][.[1]] end;
def day_of_year: calendar | if . == null then null else .[7] + 1 end;
def week_of_year: to_date | if . == null then null else (read_date.s / 86400) as $day
  | (($day + 3) % 7 | if . < 0 then . + 7 else . end) as $weekday
  | (($day - $weekday + 3) * 86400 | gmtime | .[7] / 7 | floor) + 1 end;
def last_day_of_month: to_date | if . == null then null else (read_date.s | gmtime) as $date
  | days_from_months($date[0] * 12 + $date[1]; 31) | day_text end;
def time_part($name): read_any | if . == null then null
  elif .kind == "months" then {years: (.m / 12 | trunc), months: (.m % 12)}[$name]
  elif .kind == "span" then (if .s < 0 then -1 else 1 end) as $sign
  | (if $sign < 0 then negated else . end)
  | {days: ($sign * (.s / 86400 | floor)), hours: ($sign * (.s / 3600 | floor | . % 24)),
     minutes: ($sign * (.s / 60 | floor | . % 60)), seconds: ($sign * (.s % 60 + .n / 1000000000))}
    [$name]
  else (.s / 86400 | floor) as $day | ($day * 86400 | gmtime) as $date
  | (.s - $day * 86400) as $clock
  | (if .kind == "time" then {} else {year: $date[0], month: ($date[1] + 1), day: $date[2],
       weekday: (($date[6] + 6) % 7 + 1)} end)
    + (if .kind == "date" then {} else {hour: ($clock / 3600 | floor),
       minute: ($clock / 60 | floor | . % 60), second: ($clock % 60 + .n / 1000000000),
       "time offset": (if .offset == null then null
         else {kind: "span", s: .offset, n: 0} | span_text end)} end) | .[$name] end;
"""


@cache
def feel_definitions() -> Mapping[str, str]:
    """Everything FEEL may need, by name, in an order in which nothing is used before it stands."""
    parts = (_LOGIC, _PARTS, _READ, _WRITE, _COUNT)
    found = dict(text_definitions())
    for part in parts:
        found |= read_definitions(part)
    # `rounded` uses what stands behind it.
    return {**{name: found[name] for name in ("all_zeros", "test_e")}, **found}
