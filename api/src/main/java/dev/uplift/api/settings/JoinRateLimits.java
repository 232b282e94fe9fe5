package dev.uplift.api.settings;

/// How many requests of hosts without a token are answered.
///
/// @param perMinute by this server
/// @param perMinuteAndAddress of them to one address
public record JoinRateLimits(int perMinute, int perMinuteAndAddress) {
  static EnvironmentReader.Value<JoinRateLimits> read(EnvironmentReader in) {
    var all = in.value("UPLIFT_ENROLMENT_REQUESTS_PER_MINUTE", "6000", JoinRateLimits::positive);
    var each = in.value("UPLIFT_ENROLMENT_REQUESTS_PER_MINUTE_PER_ADDRESS", "1200", JoinRateLimits::positive);
    return in.build("UPLIFT_ENROLMENT_REQUESTS_PER_MINUTE", () -> new JoinRateLimits(all.get(), each.get()));
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
