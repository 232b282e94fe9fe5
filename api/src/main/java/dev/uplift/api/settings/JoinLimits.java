package dev.uplift.api.settings;

/// How many requests of hosts without a token are answered.
///
/// @param perMinute by this server
/// @param perAddress of them to one address
public record JoinLimits(int perMinute, int perAddress) {
  static Variables.Value<JoinLimits> read(Variables in) {
    var all = in.value("UPLIFT_ENROLMENT_PER_MINUTE", "6000", JoinLimits::positive);
    var each = in.value("UPLIFT_ENROLMENT_PER_ADDRESS", "1200", JoinLimits::positive);
    return in.made("UPLIFT_ENROLMENT_PER_MINUTE", () -> new JoinLimits(all.get(), each.get()));
  }

  private static Integer positive(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // As any other text.
    }
    throw new IllegalArgumentException("expected requests per minute, at least 1");
  }
}
