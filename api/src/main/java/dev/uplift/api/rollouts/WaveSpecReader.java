package dev.uplift.api.rollouts;

import dev.uplift.api.json.InvalidValue;
import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a wave of a plan.
final class WaveSpecReader {
  private static final ValueReader<WaveSize> REST =
      ValueReaders.BOOLEAN.then(rest -> {
        if (!rest) {
          throw InvalidValue.of("expected true, or no such field");
        }
        return new WaveSize.Rest();
      });

  private WaveSpecReader() {}

  /// The words of a gate.
  private enum GateType {
    AUTOMATIC,
    APPROVAL,
    TIME
  }

  /// Where something is wrong with it, the body says so; what is returned then has only to be a
  /// wave.
  static WaveSpec read(JsonBody in) {
    WaveSize size = size(in);
    JsonField<String> spreadOver = in.nullable("spread_by_label", ValueReaders.TEXT);
    Gate gate = gate(in);
    JsonField<Duration> soak = in.optional("soak_seconds", ValueReaders.INTEGER_SECONDS);
    JsonField<Integer> maxParallel = in.nullable("max_parallel", ValueReaders.INTEGER);
    return new WaveSpec(
        size, spreadOver.asOptional(), gate, soak.orElse(Duration.ZERO), maxParallel.asOptional());
  }

  private static WaveSize size(JsonBody in) {
    List<String> said = new ArrayList<>();
    List<WaveSize> sizes = new ArrayList<>();
    size(in, "count", ValueReaders.INTEGER.then(WaveSize.Count::new), said, sizes);
    size(in, "percent", ValueReaders.INTEGER.then(WaveSize.Percent::new), said, sizes);
    size(in, "expression", ValueReaders.MULTILINE_TEXT.then(WaveSize.Matching::new), said, sizes);
    size(in, "each_value_of", ValueReaders.TEXT.then(WaveSize.PerValue::new), said, sizes);
    size(in, "rest", REST, said, sizes);
    if (said.size() != 1) {
      in.addErrorIfNew(
          "",
          "expected one of count, percent, expression, each_value_of, rest, found "
              + (said.isEmpty() ? "none" : String.join(" and ", said)));
    }
    return sizes.size() == 1 ? sizes.getFirst() : new WaveSize.Count(1);
  }

  private static void size(
      JsonBody in,
      String name,
      ValueReader<? extends WaveSize> valueReader,
      List<String> said,
      List<WaveSize> to) {
    JsonField<? extends WaveSize> jsonField = in.optional(name, valueReader);
    if (jsonField.isPresent()) {
      said.add(name);
    }
    jsonField.asOptional().ifPresent(to::add);
  }

  private static Gate gate(JsonBody in) {
    JsonField<GateType> opens = in.optional("gate", ValueReaders.enumWord(GateType.values()));
    JsonField<Instant> notBefore = in.nullable("not_before", ValueReaders.INSTANT);
    GateType word = opens.orElse(notBefore.isPresent() ? GateType.TIME : GateType.AUTOMATIC);
    Optional<Instant> time = notBefore.asOptional();
    if (word == GateType.TIME && !notBefore.isPresent()) {
      in.addErrorIfNew("/not_before", "is missing: the gate time needs the time at which it opens");
    }
    if (word != GateType.TIME && time.isPresent()) {
      in.addErrorIfNew("/not_before", "expected only with the gate time");
    }
    return switch (word) {
      case AUTOMATIC -> new Gate.Automatic();
      case APPROVAL -> new Gate.Approval();
      case TIME -> time.<Gate>map(Gate.Time::new).orElseGet(Gate.Automatic::new);
    };
  }
}
