"""Quantities of one agent, as plain functions (kernel, agent) -> float."""

from sumo_gymnasium.metrics.metric import Metric, name_of
from sumo_gymnasium.metrics.signal import accumulated_waiting_time, pressure, queue_length, relative_speed

METRICS: dict[str, Metric] = {
    name_of(metric): metric for metric in (queue_length, pressure, accumulated_waiting_time, relative_speed)
}

__all__ = ["METRICS", "Metric", "name_of"]
