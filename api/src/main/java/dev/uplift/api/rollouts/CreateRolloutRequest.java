package dev.uplift.api.rollouts;

import dev.uplift.services.rollout.RolloutSpec;

/// What a client asks for: a rollout, and whether nothing is to happen by itself yet.
record CreateRolloutRequest(RolloutSpec spec, boolean draft) {}
