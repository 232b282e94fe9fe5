package dev.uplift.api.rollouts;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.json.Wrong;
import dev.uplift.fleet.rollout.Gate;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a wave of a plan.
final class WaveReader {
  private static final Shape<WaveSize> REST =
      Shapes.FLAG.then(rest -> {
        if (!rest) {
          throw Wrong.because("expected true, or no such field");
        }
        return new WaveSize.Rest();
      });

  private WaveReader() {}

  /// The words of a gate.
  private enum Opens {
    AUTOMATIC,
    APPROVAL,
    TIME
  }

  /// Where something is wrong with it, the body says so; what is returned then has only to be a
  /// wave.
  static WaveSpec read(Body in) {
    WaveSize size = size(in);
    Field<String> spreadOver = in.removable("spread_over", Shapes.TEXT);
    Gate gate = gate(in);
    Field<Duration> soak = in.optional("soak_s", Shapes.WHOLE_SECONDS);
    Field<Integer> maxParallel = in.removable("max_parallel", Shapes.WHOLE);
    return new WaveSpec(size, spreadOver.find(), gate, soak.or(Duration.ZERO), maxParallel.find());
  }

  private static WaveSize size(Body in) {
    List<String> said = new ArrayList<>();
    List<WaveSize> sizes = new ArrayList<>();
    size(in, "count", Shapes.WHOLE.then(WaveSize.Count::new), said, sizes);
    size(in, "percent", Shapes.WHOLE.then(WaveSize.Percent::new), said, sizes);
    size(in, "expression", Shapes.LINES.then(WaveSize.Matching::new), said, sizes);
    size(in, "per_label", Shapes.TEXT.then(WaveSize.PerValue::new), said, sizes);
    size(in, "rest", REST, said, sizes);
    if (said.size() != 1) {
      in.wrongToo(
          "",
          "expected one of count, percent, expression, per_label, rest, found "
              + (said.isEmpty() ? "none" : String.join(" and ", said)));
    }
    return sizes.size() == 1 ? sizes.getFirst() : new WaveSize.Count(1);
  }

  private static void size(
      Body in, String name, Shape<? extends WaveSize> shape, List<String> said, List<WaveSize> to) {
    Field<? extends WaveSize> field = in.optional(name, shape);
    if (field.isThere()) {
      said.add(name);
    }
    field.find().ifPresent(to::add);
  }

  private static Gate gate(Body in) {
    Field<Opens> opens = in.optional("gate", Shapes.word(Opens.values()));
    Field<Instant> notBefore = in.removable("not_before", Shapes.INSTANT);
    Opens word = opens.or(notBefore.isThere() ? Opens.TIME : Opens.AUTOMATIC);
    Optional<Instant> time = notBefore.find();
    if (word == Opens.TIME && !notBefore.isThere()) {
      in.wrongToo("/not_before", "is missing: the gate time needs the time at which it opens");
    }
    if (word != Opens.TIME && time.isPresent()) {
      in.wrongToo("/not_before", "expected only with the gate time");
    }
    return switch (word) {
      case AUTOMATIC -> new Gate.Automatic();
      case APPROVAL -> new Gate.Approval();
      case TIME -> time.<Gate>map(Gate.Time::new).orElseGet(Gate.Automatic::new);
    };
  }
}
