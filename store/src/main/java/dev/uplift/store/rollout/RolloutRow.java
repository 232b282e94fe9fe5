package dev.uplift.store.rollout;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.CallerName;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPrecedence;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.LineCodec;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A rollout as it is now.
///
/// @param plan JSON; once it is frozen it never changes
/// @param rules JSON, the part of the plan that may change while it runs
/// @param control JSON, the actions of persons and of the policy
/// @param waveCount 0 until it is frozen
/// @param currentWave its number; 0 before the first begins
/// @param baselineResultNumber results with a higher number are judged
/// @param lastResultNumber the number that was given last
/// @param startAt when it is to start by itself
/// @param startedAt when its first wave began
/// @param revision rises with each change of plan, rules or control; from 1
/// @param authors those besides `createdBy`, one a line: [#isAuthor]
@MappedEntity("rollout")
public record RolloutRow(
    String tenant,
    @Id @MappedProperty("id") String name,
    String title,
    @MappedProperty("package") String packageName,
    String version,
    String plan,
    String rules,
    String control,
    @MappedProperty(converter = TextColumn.class) RolloutState state,
    int priority,
    int waveCount,
    int currentWave,
    long baselineResultNumber,
    long lastResultNumber,
    String createdBy,
    Instant createdAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> startAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> startedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> endedAt,
    @MappedProperty(converter = TextColumn.class) Optional<RolloutOutcome> outcome,
    @MappedProperty(converter = TextColumn.class) Optional<WaitReason> waitReason,
    @MappedProperty(converter = TextColumn.class) Optional<String> waitMessage,
    @Nullable Instant waitSince,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> waitUntil,
    long revision,
    @MappedProperty(converter = TextColumn.class) String authors) {
  public RolloutId id() {
    return new RolloutId(tenant, name);
  }

  public Release release() {
    return new Release(packageName, version);
  }

  /// Returns why it waits, if it does nothing else.
  public Optional<RolloutWait> waiting() {
    return waitReason.map(
        reason -> new RolloutWait(reason, waitMessage.orElse(""), requireNonNull(waitSince), waitUntil));
  }

  /// Returns whether this person, whatever the login, created the rollout, or changed or started it since: another one
  /// approves it.
  public boolean isAuthor(String person) {
    return Stream.concat(Stream.of(createdBy), LineCodec.decodeList(authors).stream())
        .anyMatch(author -> CallerName.maybeSamePerson(author, person));
  }

  public boolean isFrozen() {
    return waveCount > 0;
  }

  /// Which rollout gets a device that both want.
  public RolloutPrecedence rank() {
    return new RolloutPrecedence(priority, createdAt, name);
  }
}
