"""The uses of variables of a graph, collected from its rules and its expressions."""

from __future__ import annotations

from diglot.compiler.graph import (
    Assign,
    Call,
    Choice,
    DataRules,
    Expression,
    Graph,
    Handler,
    Node,
    Pass,
    Receive,
    Record,
    ScopeNode,
    Task,
    Value,
)
from diglot.compiler.graph.sites import CONDITIONS, Site

from ..sites import sites_of
from .jq import EXPECTED, HARMFUL, HARMLESS, Mention, Mentions, mentions_in, mentions_of
from .made import Members, is_identity, members_of, passes
from .spots import (
    BEFORE,
    GIVES,
    UNREAD,
    begins_with,
    first_conditions,
    inner_scope,
    is_awaited,
    owner_of,
    spot_of_handler,
    undoing_in,
)
from .uses import Kind, Spot, Use, Uses
from .variables import REST, Place, Variables


def uses_of(graph: Graph) -> Uses:
    """All uses of variables in a graph."""
    collector = _Collector(graph)
    collector.writes()
    for site in sites_of(graph):
        collector.reads(site)
    return collector.finish()


class _Collector:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.variables = Variables(graph)
        self.uses = Uses(self.variables)
        #: What a rule gives, by its owner and the identity of its expression.
        self._carried: dict[tuple[str, int], Members] = {}
        #: The variable that an expression gives a new value, likewise.
        self._targets: dict[tuple[str, int], int] = {}
        #: What a node writes at the moment at which it reads.
        self._at_once: dict[str, int] = {}
        self._wholes: list[tuple[Spot, Place]] = []
        #: Variables that are filled: whether what they had is gone, whether any member may come.
        self._filled: list[tuple[Spot, Place, bool, bool]] = []
        self._sights: list[tuple[Spot, str, bool]] = []
        self._undoing = undoing_in(graph)
        self._first_conditions = first_conditions(graph)

    # -- writes

    def writes(self) -> None:
        """What the rules of nodes and handlers export, and what is collected."""
        for node in self.graph.nodes:
            spot: Spot = ("node", node.id)
            if node.data is not None:
                self._rules(
                    node.data,
                    spot,
                    node.scope,
                    node,
                    node.value if isinstance(node, Assign) else None,
                )
            if isinstance(node, Receive) and node.each is not None:
                self._rules(node.each, spot, node.scope, node, None, happens=False)
            if isinstance(node, ScopeNode) and node.multi is not None and node.multi.output_to:
                place = self.variables.place(node.scope, node.multi.output_to, is_member=True)
                if place is not None:
                    self._write(spot, place, None, node, node.multi.output)
        scope_of = {node.id: node.scope for node in self.graph.nodes}
        for handler in self.graph.handlers:
            if handler.data is not None:
                scope = handler.scope or scope_of.get(handler.node or "", self.graph.root)
                self._rules(handler.data, ("handler", handler.id), scope, handler, None)

    def _rules(
        self,
        rules: DataRules,
        spot: Spot,
        scope: str,
        owner: Node | Handler,
        raw: Value | None,
        *,
        happens: bool = True,
    ) -> None:
        if rules.export_mode in ("replace", "merge"):
            self._fill(rules, spot, scope, owner, raw, happens=happens)
            return
        if isinstance(rules.export, Record):
            named: tuple[tuple[str, Value], ...] | None = rules.export.members
        else:
            named = self._named(rules, raw)
        if named is None:
            self._sights.append((spot, scope, True))
            return
        for name, value in named:
            place = self._target(scope, name, is_local=rules.export_mode == "local")
            if place is not None:
                self._write(spot, place, None, owner, value, happens=happens)

    def _named(self, rules: DataRules, raw: Value | None) -> tuple[tuple[str, Value], ...] | None:
        """The variables that an expression makes; None where that is not known."""
        members = members_of(rules.export, "")
        if passes(rules.export) and rules.write is None and raw is not None:
            if isinstance(raw, Record):
                return raw.members
            members = members_of(raw, "")
        if members is None or members.is_open:
            return None
        source = rules.export if not isinstance(raw, Expression) else raw
        assert source is not None
        return tuple((name, source) for name in sorted(members.possible))

    def _target(self, scope: str, name: str, *, is_local: bool) -> Place | None:
        if is_local:
            return Place(scope, name, False, True)
        return self.variables.place(scope, name, is_member=True)

    def _fill(
        self,
        rules: DataRules,
        spot: Spot,
        scope: str,
        owner: Node | Handler,
        raw: Value | None,
        *,
        happens: bool,
    ) -> None:
        place = self.variables.place(scope, rules.export_to)
        if place is None or rules.export is None:
            return
        members = members_of(rules.export, rules.export_to)
        if is_identity(rules.export):
            known = members_of(rules.write if rules.write is not None else raw, rules.export_to)
            members = known if known is not None else Members(is_open=True)
        if members is None:
            return
        if isinstance(rules.export, Expression) and not is_identity(rules.export):
            self._carried[owner.id, id(rules.export)] = members
        if isinstance(rules.export, Record):
            values = dict(rules.export.members)
        else:
            values = dict.fromkeys(sorted(members.possible), rules.export)
        for name, value in values.items():
            is_sure = happens and name in members.sure
            self._write(
                spot,
                place,
                name,
                owner,
                value,
                happens=is_sure,
                is_seen=rules.export_schema is not None,
            )
        keeps = bool(members.keeps) or rules.export_mode == "merge"
        # The data of a token may be what somebody took out of the variable; a result is not.
        is_result = isinstance(owner, Task | Call) and owner.waits and rules.write is None
        keeps = keeps or (members.is_open and not is_result)
        if members.is_open and not keeps:
            self._write(spot, place, REST, owner, rules.export, happens=happens)
        self._filled.append((spot, place, not keeps and happens, members.is_open))
        if rules.export_schema is not None:
            self._wholes.append((spot, place))

    def _write(
        self,
        spot: Spot,
        place: Place,
        key: str | None,
        owner: Node | Handler,
        value: Value | None,
        *,
        happens: bool = True,
        is_seen: bool = False,
    ) -> None:
        bit = self.variables.bit(place, key)
        deeds = self.uses.at(spot)
        if happens:
            deeds.writes |= bit
        else:
            deeds.may |= bit
        if isinstance(value, Expression):
            target = (owner.id, id(value))
            self._targets[target] = self._targets.get(target, 0) | bit
        if isinstance(owner, Assign | Pass):
            self._at_once[owner.id] = self._at_once.get(owner.id, 0) | bit
        self.uses.found.append(
            Use(
                spot,
                bit,
                key or place.name,
                "write",
                HARMFUL if happens and not is_seen else HARMLESS,
                place.is_private,
                owner,
                value,
            )
        )

    # -- reads

    def reads(self, site: Site) -> None:
        """What one expression reads."""
        expression, node = site.expression, site.node
        if site.place in BEFORE:
            return
        text = expression.text
        sees_variables = expression.of == "variables"
        inner, has_raw = inner_scope(node, site)
        if not (sees_variables or "$" in text or has_raw):
            return
        spot, scope = self._spot(site, inner)
        carried = self._carried.get((owner_of(site), id(expression)))
        if carried is not None:
            mentions = mentions_in(carried.parts)
        elif sees_variables and text == ".":
            mentions = Mentions(uses_input=True)
        else:
            mentions = mentions_of(text)
        if mentions.uses_input and (sees_variables or has_raw):
            self._sights.append((spot, scope, False))
        if not mentions.found:
            return
        hidden, is_certain = (frozenset[str](), not has_raw) if inner else self._hidden(site)
        for mention in mentions.found:
            if mention.name:
                place = self.variables.place(scope, mention.name)
                key = mention.key
            elif mention.key in hidden or not (sees_variables or has_raw):
                continue
            else:
                place = self.variables.place(scope, mention.key or "", is_member=True)
                key = None
                if not sees_variables and (place is None or place.holder != scope):
                    continue
            if place is not None:
                self._read(site, spot, place, key, mention, bool(mention.name) or is_certain)

    def _read(
        self,
        site: Site,
        spot: Spot,
        place: Place,
        key: str | None,
        mention: Mention,
        is_certain: bool,
    ) -> None:
        care = mention.care if is_certain else EXPECTED
        deeds = self.uses.at(spot)
        if self.variables.is_filled(place) and key is None:
            self._wholes.append((spot, place))
            return
        bit = self.variables.bit(place, key)
        deeds.reads |= bit
        if self.variables.is_filled(place):
            deeds.reads |= self.variables.bit(place, REST)
        if care == HARMFUL and self._is_harmless(site, mention):
            care = HARMLESS
        if care == HARMFUL:
            deeds.surely |= bit
        kind: Kind = "read"
        at_once = self._at_once.get(site.node.id, 0) if site.node is not None else 0
        if bit & (self._targets.get((owner_of(site), id(site.expression)), 0) | at_once):
            kind = "own"
        elif site.place == "needs" or is_awaited(site):
            kind = "awaited"
        elif not is_certain:
            kind = "perhaps"
        self.uses.found.append(
            Use(
                spot,
                bit,
                key if key is not None and self.variables.is_filled(place) else place.name,
                kind,
                care,
                place.is_private,
                site.node or site.handler,
                site.expression,
                mention.start,
                mention.end,
            )
        )

    def _is_harmless(self, site: Site, mention: Mention) -> bool:
        """Whether null does no harm at the place of an expression, or it is not always evaluated.

        As a condition null is as good as false.
        """
        text = site.expression.text
        is_whole = mention.start == 0 and mention.end == len(text.rstrip())
        if is_whole and site.place in CONDITIONS and site.expression.yields == "any":
            return True
        node = site.node
        if node is not None and node.guard is not None and site.place != "guard":
            return True
        is_choice = site.place == "condition" and isinstance(node, Choice)
        return is_choice and id(site.expression) not in self._first_conditions

    def _spot(self, site: Site, inner: str) -> tuple[Spot, str]:
        """Where an expression is evaluated, and the scope whose variables it sees."""
        if inner:
            return ("leave", inner), inner
        if site.place == "workflow-output":
            return ("leave", site.scope), site.scope
        if site.place == "variable":
            outer = self.variables.parents.get(site.scope)
            return ("enter", site.scope), outer or site.scope
        node = site.node
        if node is None:
            return spot_of_handler(site), site.scope
        return ("begin" if begins_with(node, site) else "node", node.id), site.scope

    def _hidden(self, site: Site) -> tuple[frozenset[str], bool]:
        """Names that the activity's own data hide, and whether there are no others."""
        node = site.node
        if node is None:
            return frozenset(), True
        hidden: frozenset[str] = frozenset()
        is_certain = True
        read = None if node.data is None else node.data.read
        if read is not None and site.place not in UNREAD:
            members = members_of(read, "")
            is_certain = members is not None and not members.is_open
            hidden |= frozenset() if members is None else members.possible
        if site.place in GIVES:
            if isinstance(node, Assign):
                members = members_of(node.value, "")
                is_certain = is_certain and members is not None and not members.is_open
                hidden |= frozenset() if members is None else members.possible
            elif not isinstance(node, Pass):
                is_certain = False
        return hidden, is_certain

    # -- in the end

    def finish(self) -> Uses:
        """The uses, once every variable has its number."""
        variables, uses = self.variables, self.uses
        for spot, place, is_replaced, is_open in self._filled:
            deeds = uses.at(spot)
            if is_replaced:
                deeds.drops |= variables.whole(place)
            if is_open:
                deeds.may |= variables.whole(place)
        for spot, place in self._wholes:
            uses.at(spot).reads |= variables.whole(place)
        for spot, scope, is_written in self._sights:
            deeds = uses.at(spot)
            sight = variables.in_sight(scope)
            if is_written:
                deeds.may |= sight
            else:
                deeds.reads |= sight
        updates = {(use.spot, use.bit) for use in uses.found if use.kind == "own"}
        uses.found = [
            use._replace(kind="update")
            if use.kind == "write" and (use.spot, use.bit) in updates
            else use
            for use in uses.found
        ]
        activities, scopes = self._undoing
        if activities or scopes:
            for use in uses.found:
                if use.owner is None or isinstance(use.owner, Handler):
                    continue
                if use.owner.scope in scopes or use.owner.id in activities:
                    uses.untimed |= use.bit
        return uses
