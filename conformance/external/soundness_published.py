"""What rust_bpmn_analyzer says of its models; empty where it finds nothing wrong.

Of the large parallel ones it gives no answer in 15 seconds; they are sound by their construction.
The adopted dispatch of goods is unsafe, and so is what it was adopted from, whose inclusive
gateways it does not read. Of the livelock its newest test says so.
"""

from __future__ import annotations

from collections.abc import Mapping

WRONG: Mapping[str, str] = {
    "bpmn-analyzer-js/cyclic": "proper_completion safeness",
    "bpmn-analyzer-js/dead-activity": "dead_activities",
    "bpmn-analyzer-js/dead-mice": "option_to_complete",
    "bpmn-analyzer-js/dead-receive-task": "dead_activities option_to_complete",
    "bpmn-analyzer-js/dead_tasks_connected": "dead_activities",
    "bpmn-analyzer-js/empty": "",
    "bpmn-analyzer-js/implicit-task-merge": "proper_completion safeness",
    "bpmn-analyzer-js/implicit-task-split": "proper_completion safeness",
    "bpmn-analyzer-js/livelock": "option_to_complete safeness",
    "bpmn-analyzer-js/order_handling": "dead_activities option_to_complete",
    "bpmn-analyzer-js/order_handling_synchronization": "proper_completion safeness",
    "bpmn-analyzer-js/pools-with-message-flows": "proper_completion safeness",
    "bpmn-analyzer-js/reused-end-event": "proper_completion",
    "bpmn-analyzer-js/showcase": "dead_activities option_to_complete proper_completion safeness",
    "bpmn-analyzer-js/starvation": "option_to_complete",
    "bpmn-analyzer-js/stuck": "dead_activities option_to_complete",
    "bpmn-analyzer-js/unsafe-gateways": "proper_completion safeness",
    "kraeuter-bpm2024/parallel-branches/p03x10": "",
    "kraeuter-bpm2024/parallel-branches/p03x20": "",
    "kraeuter-bpm2024/parallel-branches/p05x01": "",
    "kraeuter-bpm2024/parallel-branches/p05x03": "",
    "kraeuter-bpm2024/parallel-branches/p05x05": "",
    "kraeuter-bpm2024/parallel-branches/p10x01": "",
    "kraeuter-bpm2024/parallel-branches/p15x01": "",
    "kraeuter-bpm2024/parallel-branches/p16x01": "",
    "kraeuter-bpm2024/parallel-branches/p17x01": "",
    "kraeuter-bpm2024/parallel-branches/p20x01": "",
    "kraeuter-bpm2024/realistic/camunda-adopted/credit-scoring-asynchronous": "",
    "kraeuter-bpm2024/realistic/camunda-adopted/credit-scoring-synchronous": "option_to_complete",
    "kraeuter-bpm2024/realistic/camunda-adopted/dispatch-of-goods": "proper_completion safeness",
    "kraeuter-bpm2024/realistic/camunda-adopted/recourse": "",
    "kraeuter-bpm2024/realistic/camunda-adopted/self-service-restaurant": "",
    "kraeuter-bpm2024/realistic/camunda-bpmn-for-research-original/credit-scoring-asynchronous": (
        "dead_activities"
    ),
    "kraeuter-bpm2024/realistic/camunda-bpmn-for-research-original/credit-scoring-synchronous": (
        "dead_activities"
    ),
    "kraeuter-bpm2024/realistic/camunda-bpmn-for-research-original/dispatch-of-goods": (
        "proper_completion safeness"
    ),
    "kraeuter-bpm2024/realistic/camunda-bpmn-for-research-original/recourse": "dead_activities",
    "kraeuter-bpm2024/realistic/camunda-bpmn-for-research-original/self-service-restaurant": (
        "dead_activities"
    ),
    "kraeuter-bpm2024/realistic/e001": "",
    "kraeuter-bpm2024/realistic/e002": "",
    "kraeuter-bpm2024/realistic/e020": "",
    "rust_bpmn_analyzer/cli/benchmark_input/400": "",
    "rust_bpmn_analyzer/cli/benchmark_input/500": "",
    "rust_bpmn_analyzer/cli/benchmark_input/p10x01": "",
    "rust_bpmn_analyzer/cli/benchmark_input/p15x01": "",
    "rust_bpmn_analyzer/cli/benchmark_input/p17x01": "",
    "rust_bpmn_analyzer/cli/tests/resources/p2": "",
    "rust_bpmn_analyzer/cli/tests/resources/p6_stuck": "dead_activities option_to_complete",
    "rust_bpmn_analyzer/core/integration/e020": "",
    "rust_bpmn_analyzer/core/integration/livelock": "option_to_complete safeness",
    "rust_bpmn_analyzer/core/integration/message_persistence": "",
    "rust_bpmn_analyzer/core/integration/p10": "dead_activities option_to_complete",
    "rust_bpmn_analyzer/core/integration/p2": "",
    "rust_bpmn_analyzer/core/integration/p6_stuck": "dead_activities option_to_complete",
    "rust_bpmn_analyzer/core/integration/pools-message-flows": "",
    "rust_bpmn_analyzer/core/unit/prefix/bpmn-prefix": "dead_activities option_to_complete",
    "rust_bpmn_analyzer/core/unit/prefix/no-prefix": "proper_completion safeness",
    "rust_bpmn_analyzer/core/unit/prefix/wurst-prefix": "dead_activities option_to_complete",
    "rust_bpmn_analyzer/core/unit/properties/no_dead_activities/dead-activities": (
        "dead_activities option_to_complete"
    ),
    "rust_bpmn_analyzer/core/unit/properties/no_dead_activities/no-dead-activities": "",
    "rust_bpmn_analyzer/core/unit/properties/option_to_complete/no-option-to-complete-1": (
        "option_to_complete"
    ),
    "rust_bpmn_analyzer/core/unit/properties/option_to_complete/no-option-to-complete-2": (
        "dead_activities option_to_complete"
    ),
    "rust_bpmn_analyzer/core/unit/properties/proper_completion/no-proper-completion-1": (
        "proper_completion"
    ),
    "rust_bpmn_analyzer/core/unit/properties/proper_completion/no-proper-completion-2": (
        "proper_completion"
    ),
    "rust_bpmn_analyzer/core/unit/properties/proper_completion/no-proper-completion-3-unsafe": (
        "proper_completion safeness"
    ),
    "rust_bpmn_analyzer/core/unit/properties/proper_completion/proper-completion-1": "",
    "rust_bpmn_analyzer/core/unit/properties/proper_completion/proper-completion-2": "",
    "rust_bpmn_analyzer/core/unit/properties/safeness/unsafe": "proper_completion safeness",
    "rust_bpmn_analyzer/core/unit/reader/events": "dead_activities option_to_complete",
    "rust_bpmn_analyzer/core/unit/reader/pools-message-flows": "",
    "rust_bpmn_analyzer/core/unit/semantics/end": "",
    "rust_bpmn_analyzer/core/unit/semantics/evg": "",
    "rust_bpmn_analyzer/core/unit/semantics/exg": "",
    "rust_bpmn_analyzer/core/unit/semantics/intermediate_event": "proper_completion safeness",
    "rust_bpmn_analyzer/core/unit/semantics/link_event": "proper_completion",
    "rust_bpmn_analyzer/core/unit/semantics/message_intermediate_catch_event": "",
    "rust_bpmn_analyzer/core/unit/semantics/message_start_event": "dead_activities",
    "rust_bpmn_analyzer/core/unit/semantics/multiple_participants": "",
    "rust_bpmn_analyzer/core/unit/semantics/nothing": (
        "dead_activities option_to_complete proper_completion safeness"
    ),
    "rust_bpmn_analyzer/core/unit/semantics/pg": "",
    "rust_bpmn_analyzer/core/unit/semantics/receive_task": "",
    "rust_bpmn_analyzer/core/unit/semantics/receive_task_no_mf": (
        "dead_activities option_to_complete"
    ),
    "rust_bpmn_analyzer/core/unit/semantics/send_task": "",
    "rust_bpmn_analyzer/core/unit/semantics/start": "",
    "rust_bpmn_analyzer/core/unit/semantics/task": "proper_completion safeness",
    "rust_bpmn_analyzer/core/unit/semantics/task_and_gateways": "",
    "rust_bpmn_analyzer/core/unit/semantics/terminate_end": "",
}
