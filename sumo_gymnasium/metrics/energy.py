"""What driving costs: power at the wheels, and fuel."""

from sumo_gymnasium.kernels.kernel import Kernel

MASS = 1200.0  # kg
ROLLING = 0.005  # C_r, the part of the weight that resists rolling
DRAG = 0.3  # C_a
AIR = 1.225  # ρ, kg/m³
FRONT = 2.6  # A, m²
GRAVITY = 9.81  # m/s²


def power_of(speed: float, acceleration: float) -> float:
    """What a car of 1200 kg needs, W: M v max(a, 0) + M g C_r v + ½ ρ A C_a v³.

    The formula and numbers of Flow (Wu et al. 2021); but there braking costs as much as accelerating.
    """
    resistance = MASS * GRAVITY * ROLLING + 0.5 * AIR * FRONT * DRAG * speed**2  # N
    return speed * (MASS * max(acceleration, 0.0) + resistance)


def power(kernel: Kernel, vehicle: str) -> float:
    """What the vehicle needs now, W; see `power_of`."""
    return power_of(kernel.vehicle.speed(vehicle), kernel.vehicle.acceleration(vehicle))


def total_power(kernel: Kernel, vehicle: str) -> float:
    """What all vehicles on the road need now, W."""
    return sum((power(kernel, each) for each in kernel.vehicle.ids), 0.0)


def fuel(kernel: Kernel, vehicle: str) -> float:
    """What the vehicle burns in this step by SUMO's emission model, g/s."""
    return kernel.vehicle.fuel(vehicle)
