package dev.uplift.api.json;

import dev.uplift.api.problem.Fault;
import java.util.List;

/// A value that is not as it should be.
public final class Wrong extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Fault> faults;

  private Wrong(List<Fault> faults) {
    super(faults.toString(), null, false, false);
    this.faults = faults;
  }

  /// The value as a whole.
  ///
  /// @param detail what was found and what would be right
  public static Wrong because(String detail) {
    return new Wrong(List.of(Fault.at("", detail)));
  }

  /// Faults inside the value, their pointers relative to it.
  static Wrong inside(List<Fault> faults) {
    return new Wrong(faults);
  }

  List<Fault> below(String pointer) {
    return faults.stream()
        .map(fault -> Fault.at(pointer + fault.pointer().orElse(""), fault.detail()))
        .toList();
  }

  /// Without its place.
  public String detail() {
    return faults.getFirst().detail();
  }
}
