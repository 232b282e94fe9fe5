package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.RolloutWish;

/// What a client asks for: a rollout, and whether nothing is to happen by itself yet.
record Asked(RolloutWish wish, boolean draft) {}
