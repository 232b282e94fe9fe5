package dev.uplift.activities.presence;

import java.time.Instant;

/// What is remembered of one instance of an agent.
///
/// @param first when it was heard first
/// @param inARow how many beats since another instance of the same host was heard
public record InstanceBeats(Instant first, HeardBeat newest, int inARow) {
  public static InstanceBeats of(HeardBeat beat) {
    return new InstanceBeats(beat.at(), beat, 1);
  }

  InstanceBeats and(HeardBeat beat) {
    return new InstanceBeats(first, beat, inARow + 1);
  }

  InstanceBeats interrupted() {
    return new InstanceBeats(first, newest, 0);
  }
}
