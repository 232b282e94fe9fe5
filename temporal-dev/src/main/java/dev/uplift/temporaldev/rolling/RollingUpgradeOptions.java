package dev.uplift.temporaldev.rolling;

/// How much runs while servers are replaced.
///
/// @param upgrades of one device each, some of them started before each replacement
/// @param rollouts at the same time, over devices of their own
/// @param devices of each rollout
/// @param seconds that a host takes for an upgrade, beside what everything else takes
public record RollingUpgradeOptions(int upgrades, int rollouts, int devices, int seconds) {}
