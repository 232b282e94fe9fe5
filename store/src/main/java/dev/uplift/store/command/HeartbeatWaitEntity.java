package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.StoredText;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;

/// A row of `heartbeat_wait`.
@MappedEntity("heartbeat_wait")
record HeartbeatWaitEntity(
    String tenant,
    @Id String host,
    String step,
    @MappedProperty("package") String packageName,
    String version,
    String previousBootId,
    String previousInstance,
    String outgoingInstance,
    String workflowId,
    String activityId,
    Instant waitingSince) {

  static HeartbeatWaitEntity of(HeartbeatWait wait, Instant now) {
    return new HeartbeatWaitEntity(
        wait.tenant(),
        wait.host().value(),
        EnumCodec.encode(wait.step()),
        wait.release().packageName(),
        wait.release().version(),
        StoredText.sanitize(wait.previousBootId()),
        StoredText.sanitize(wait.previousInstance()),
        StoredText.sanitize(wait.outgoingInstance()),
        wait.waiter().workflowId(),
        wait.waiter().activityId(),
        now);
  }

  HeartbeatWait toWait() {
    return new HeartbeatWait(
        tenant,
        new HostId(host),
        EnumCodec.decode(Step.class, step),
        new Release(packageName, version),
        previousBootId,
        previousInstance,
        outgoingInstance,
        new WaitingActivity(workflowId, activityId));
  }
}
