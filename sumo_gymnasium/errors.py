"""What can go wrong: each error says what was given, what was expected and what to do."""


class SumoGymnasiumError(Exception):
    """What all errors of this package have in common."""


class ScenarioError(SumoGymnasiumError, ValueError):
    """The network, the demand or an option does not fit: found in the files, or said by SUMO when it loads them."""


class SimulationCrashed(SumoGymnasiumError, RuntimeError):
    """SUMO ended, or was ended, in mid-episode. The env can be reset."""


class NotRunning(SumoGymnasiumError, RuntimeError):
    """The env was asked for something that needs a running episode: call `reset()` first."""


class HostBusy(SumoGymnasiumError, RuntimeError):
    """`host="inline"` while libsumo runs another simulation in this process."""


class NotOnRoad(SumoGymnasiumError, KeyError):
    """A vehicle was asked for that is not on the road: not inserted yet, or gone."""

    __str__ = Exception.__str__  # KeyError's would put it into quotes
