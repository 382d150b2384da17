"""Quantities of one agent, as plain functions (kernel, agent) -> float."""

from sumo_gymnasium.metrics import signal
from sumo_gymnasium.metrics.metric import Metric, name_of

METRICS: dict[str, Metric] = {
    name_of(metric): metric
    for metric in (
        signal.queue_length,
        signal.pressure,
        signal.link_pressure,
        signal.accumulated_waiting_time,
        signal.waiting_time,
        signal.first_wait,
        signal.longest_wait,
        signal.relative_speed,
        signal.co2,
        signal.time_loss,
        signal.vehicles_passed,
    )
}

__all__ = ["METRICS", "Metric", "name_of"]
