"""What the schemas do not take is mended where a file is written, and told."""

from __future__ import annotations

import pytest

from support.exported_files import DIGLOT, MODEL, TOOL, Exported, exported, file, mended

XML = "http://www.w3.org/XML/1998/namespace"
XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
FLOW = "<startEvent id='s'/><task id='a'/><sequenceFlow id='f' sourceRef='s' targetRef='a'/>"


def _children(found: Exported, id: str) -> list[str]:
    return [one.tag.removeprefix(MODEL) for one in found.of(id)]


def test_a_file_that_is_right_is_altered_in_nothing_and_nothing_is_told():
    found = mended(FLOW)

    assert found.told == []
    assert found.of("order").get("isExecutable") == "true"


def test_who_wrote_the_file_is_said_where_nobody_has():
    ours = exported(file(FLOW))
    theirs = exported(file(FLOW).replace(" id='file'", " id='file' exporter='Tool'", 1))

    assert ours.root.get("exporter") == "Diglot"
    assert ours.root.get("exporterVersion")
    assert theirs.root.get("exporter") == "Tool"
    assert theirs.root.get("exporterVersion") is None


def test_an_unknown_attribute_is_written_as_one_of_diglots():
    found = mended("<task id='a' speed='5'/>")

    assert found.of("a").attrib == {"id": "a", f"{DIGLOT}speed": "5"}
    assert found.told == [("attribute-set-aside", "a")]


def test_attributes_of_others_stay_where_the_schema_takes_them():
    found = mended("<task id='a' tool:speed='5'/>")

    assert found.of("a").attrib == {"id": "a", f"{TOOL}speed": "5"}
    assert found.told == []


@pytest.mark.parametrize(
    ("attribute", "written"),
    [
        ("isForCompensation='TRUE'", {"isForCompensation": "true"}),
        ("isForCompensation='1'", {"isForCompensation": "1"}),
        ("startQuantity=' 1 '", {"startQuantity": "1"}),
    ],
)
def test_a_value_in_other_letters_is_written_as_the_schema_spells_it(
    attribute: str, written: dict[str, str]
):
    found = exported(file(f"<subProcess id='p'><task id='a' {attribute}/></subProcess>"))

    assert found.of("a").attrib == {"id": "a", **written}
    assert found.told == []


@pytest.mark.parametrize(
    ("body", "id", "name"),
    [
        ("<serviceTask id='a' implementation='http://[x]'/>", "a", "implementation"),
        ("<task id='a' default='nothing'/>", "a", "default"),
        ("<dataObject id='a' itemSubjectRef='xsd:string'/>", "a", "itemSubjectRef"),
    ],
)  # fmt: skip
def test_a_value_that_its_type_has_not_is_set_aside(body: str, id: str, name: str):
    found = mended(body)

    assert found.of(id).get(name) is None
    assert found.of(id).get(f"{DIGLOT}{name}") is not None
    assert ("attribute-set-aside", id) in found.told


def test_an_element_of_others_without_a_place_is_set_aside_with_all_in_it():
    found = mended("<task id='a'><tool:cost unit='EUR'>5<tool:x/></tool:cost></task>")

    assert _children(found, "a") == ["extensionElements"]
    aside = found.of("a").find(f"{MODEL}extensionElements/{DIGLOT}aside/{TOOL}cost")
    assert aside is not None
    assert (aside.text, [one.tag for one in aside]) == ("5", [f"{TOOL}x"])
    assert found.told == [("element-set-aside", "a")]


def test_what_the_file_itself_has_no_place_for_stands_in_its_first_process():
    around = "<extension definition='tool:x'/>"
    found = mended(FLOW, around=around)

    aside = found.of("order").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert aside.attrib == {"of": "definitions"}
    assert [one.tag for one in aside] == [f"{DIGLOT}extension"]


def test_text_without_a_meaning_is_set_aside():
    found = mended("<task id='a'>do it</task>")

    assert not (found.of("a").text or "").strip()
    aside = found.of("a").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert aside.text == "do it"
    assert found.told == [("element-set-aside", "a")]


def test_what_diglots_own_vocabulary_had_is_put_back_as_it_was():
    head = "xmlns:diglot='https://diglot.dev/bpmn/1'"

    found = mended(f"<task id='a'><diglot:task {head} id='b'/></task>")

    aside = found.of("a").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert [one.tag for one in aside] == [f"{DIGLOT}_task"]


def test_what_nothing_can_hold_is_left_out_and_told():
    found = exported(file("<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='a'/>"
                          "<task id='a'><incoming speed='5'>f</incoming></task>"))  # fmt: skip

    assert [one.attrib for one in found.of("a")] == [{}]
    assert [name for name, _ in found.told] == ["part-left-out"]


def test_children_stand_in_the_order_of_the_schema():
    found = mended(
        "<task id='a'><ioSpecification><outputSet/><inputSet/></ioSpecification>"
        "<extensionElements><tool:x/></extensionElements><documentation>d</documentation></task>"
    )

    assert _children(found, "a") == ["documentation", "extensionElements", "ioSpecification"]
    specification = found.of("a")[2]
    assert [one.tag.removeprefix(MODEL) for one in specification] == ["inputSet", "outputSet"]
    assert found.told == []


def test_a_file_that_breaks_the_order_of_the_schema_has_the_same_graph_in_it():
    data = (
        "<ioSpecification><inputSet/><outputSet/><dataOutput id='out'/><dataInput id='in'/>"
        "</ioSpecification>"
    )
    mended(f"<dataObject id='d'/><task id='a'/><property id='p'/>{data}")


def test_several_places_for_extensions_become_one():
    found = mended("<task id='a'><extensionElements><tool:x/></extensionElements>"
                   "<extensionElements><tool:y/></extensionElements></task>")  # fmt: skip

    assert _children(found, "a") == ["extensionElements"]
    assert [one.tag for one in found.of("a")[0]] == [f"{TOOL}x", f"{TOOL}y"]


def test_of_what_may_be_there_once_the_first_one_stays():
    found = mended("<task id='a'><ioSpecification id='one'><inputSet/><outputSet/>"
                   "</ioSpecification><ioSpecification id='two'/></task>")  # fmt: skip

    assert _children(found, "a") == ["extensionElements", "ioSpecification"]
    assert found.of("a")[1].get("id") == "one"
    assert found.told == [("element-set-aside", "a")]


def test_of_what_excludes_each_other_the_first_in_the_schema_stays():
    role = "<potentialOwner id='r'><resourceAssignmentExpression id='e'><formalExpression>x</formalExpression></resourceAssignmentExpression><resourceRef>team</resourceRef></potentialOwner>"  # noqa: E501
    found = mended(f"<userTask id='a'>{role}</userTask>", around="<resource id='team' name='T'/>")

    assert _children(found, "r") == ["extensionElements", "resourceRef"]


def test_nodes_list_the_flows_that_lead_to_them_and_leave_them():
    found = mended(FLOW)

    assert [(one.tag, one.text) for one in found.of("s")] == [(f"{MODEL}outgoing", "f")]
    assert [(one.tag, one.text) for one in found.of("a")] == [(f"{MODEL}incoming", "f")]


def test_the_order_in_which_a_gateway_lists_its_flows_is_kept():
    body = (
        "<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='g'/>"
        "<exclusiveGateway id='g' default='y'><outgoing>y</outgoing><outgoing>x</outgoing>"
        "</exclusiveGateway><task id='a'/><task id='b'/>"
        "<sequenceFlow id='x' sourceRef='g' targetRef='a'>"
        "<conditionExpression>true</conditionExpression></sequenceFlow>"
        "<sequenceFlow id='y' sourceRef='g' targetRef='b'/>"
    )
    found = mended(body)

    flows = [(one.tag.removeprefix(MODEL), one.text) for one in found.of("g")]
    assert flows == [("incoming", "f"), ("outgoing", "y"), ("outgoing", "x")]


@pytest.mark.parametrize(
    "written", ["tFormalExpression", "bpmn:tFormalExpression", "x:tFormalExpression"]
)
def test_a_type_has_the_prefix_of_its_vocabulary(written: str):
    body = FLOW.replace(
        "targetRef='a'/>",
        f"targetRef='a'><conditionExpression xsi:type='{written}'>true</conditionExpression>"
        "</sequenceFlow>",
    )
    found = exported(file(body))

    condition = found.of("f").find(f"{MODEL}conditionExpression")
    assert condition is not None
    prefix = condition.attrib[XSI_TYPE].rpartition(":")[0]
    assert condition.attrib[XSI_TYPE].endswith("tFormalExpression")
    declared = f'xmlns:{prefix}="{MODEL[1:-1]}"' if prefix else f'xmlns="{MODEL[1:-1]}"'
    assert declared in found.text


def test_an_expression_with_a_language_is_a_formal_one():
    body = FLOW.replace(
        "targetRef='a'/>",
        "targetRef='a'><conditionExpression language='https://github.com/jqlang/jq'>true"
        "</conditionExpression></sequenceFlow>",
    )
    found = mended(body)

    condition = found.of("f").find(f"{MODEL}conditionExpression")
    assert condition is not None
    assert condition.attrib[XSI_TYPE] == "bpmn:tFormalExpression"


def test_what_the_schema_asks_for_is_added_and_marked():
    found = mended("<task id='a'><ioSpecification id='io'><dataInput id='d'/></ioSpecification>"
                   "</task>")  # fmt: skip

    assert _children(found, "io") == ["dataInput", "inputSet", "outputSet"]
    added = list(found.of("io"))[1:]
    assert [one.attrib for one in added] == [{f"{DIGLOT}added": "true"}] * 2
    assert [one.text for one in added[0]] == ["d"]
    assert found.told == [("part-added", "io")] * 2


def test_what_is_nothing_without_what_it_lacks_is_set_aside():
    found = mended("<task id='a'/><association id='x' sourceRef='a'/>")

    aside = found.of("order").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert [one.tag for one in aside] == [f"{DIGLOT}association"]
    assert found.told == [("element-set-aside", "order")]


def test_a_file_without_a_namespace_gets_one_and_that_is_told():
    text = file(FLOW).replace(" targetNamespace='https://diglot.example/kept'", "", 1)

    found = exported(text)

    assert found.root.get("targetNamespace") == "https://diglot.dev/bpmn"
    assert found.told == [("part-added", "file")]


@pytest.mark.parametrize("element", ["documentation", "text"])
def test_text_with_elements_in_it_is_set_aside_because_no_reader_takes_them(element: str):
    marked = f"<{element}>See <tool:b>this</tool:b></{element}>"
    body = f"<textAnnotation id='n'>{marked}</textAnnotation>"

    found = mended(body)

    aside = found.of("n").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert [one.tag for one in aside] == [f"{DIGLOT}{element}"]
    assert found.told == [("element-set-aside", "n")]


def test_documentation_behind_one_that_is_set_aside_follows_it_to_keep_the_order():
    texts = "<documentation>1</documentation><documentation><tool:b/></documentation>"
    found = mended(f"<task id='a'>{texts}<documentation>3</documentation></task>")

    assert [one.text for one in found.of("a") if one.tag == f"{MODEL}documentation"] == ["1"]
    assert found.told == [("element-set-aside", "a")] * 2


@pytest.mark.parametrize(
    ("around", "element"),
    [
        ("<extension definition='tool:x'><documentation>d</documentation></extension>",
         "extension"),
        ("<collaboration id='c'><participant id='p' processRef='order'/>"
         "<conversation id='v'><participantRef>p</participantRef><messageFlowRef>m</messageFlowRef>"
         "</conversation></collaboration>", "messageFlowRef"),
        ("<globalScriptTask id='g'><script>x</script></globalScriptTask>", "script"),
    ],
)  # fmt: skip
def test_what_no_editor_of_the_field_reads_is_set_aside(around: str, element: str):
    found = mended(FLOW, around=around)

    assert [one for one in found.root.iter(f"{MODEL}{element}")] == []
    assert len([*found.root.iter(f"{DIGLOT}{element}")]) == 1
    assert "element-set-aside" in dict(found.told)


def test_a_namespace_that_is_no_uri_is_written_as_one():
    text = file("<task id='a' tool:x='1'/>").replace("diglot.example/tool", "diglot.example/a b")

    found = exported(text)

    assert found.of("a").get("{https://diglot.example/a%20b}x") == "1"
    assert found.told == [("namespace-written-otherwise", "")]


def test_of_very_many_findings_of_a_kind_the_first_are_told_and_how_many_there_are():
    found = exported(file("".join(f"<task id='t{n}' speed='5'/>" for n in range(120))))

    assert found.told.count(("more-alterations", "")) == 1
    assert len(found.told) == 51
    assert "120" in found.found[-1].message


@pytest.mark.parametrize("name", ["constructor", "__proto__", "xmlns-x", "id2", "_", "a.b-c", "ü"])
def test_no_name_of_an_attribute_is_too_odd_to_be_kept(name: str):
    found = mended(f"<task id='a' {name}='1' tool:{name}='2'/>")

    assert found.of("a").get(f"{DIGLOT}{name}") == "1"
    assert found.of("a").get(f"{TOOL}{name}") == "2"


def test_attributes_of_diglots_own_vocabulary_that_nobody_set_aside_are_read_as_set_aside():
    head = "xmlns:diglot='https://diglot.dev/bpmn/1'"
    found = exported(file(f"<task id='a' {head} diglot:name='x' diglot:id='y'/>"))

    assert found.of("a").attrib == {"id": "a", "name": "x"}


def test_a_name_has_one_colon_at_most():
    found = mended(
        "<task id='a' tool:b:c='1'><extensionElements><tool:d:e/></extensionElements></task>"
    )

    assert found.of("a").get(f"{TOOL}b_c") == "1"
    assert [one.tag for one in found.of("a")[0]] == [f"{TOOL}d_e"]
    assert [name for name, _ in found.told] == ["name-written-otherwise"] * 2


@pytest.mark.parametrize("uri", ["http://www.w3.org/2000/xmlns/", XML])
def test_a_vocabulary_that_xml_keeps_for_itself_is_not_declared(uri: str):
    found = exported(file(f"<task id='a' xmlns:e='{uri}' e:lang='de'/>"))

    assert "de" in found.of("a").attrib.values()
    assert f'"{uri}"' not in found.text


def test_the_language_of_an_element_is_kept():
    found = mended("<task id='a' xml:lang='de'/>")

    assert found.of("a").get(f"{{{XML}}}lang") == "de"
    assert found.told == []
