package dev.uplift.temporaldev.programs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The version of a program: the first version number in its output.
record ToolVersion(int major, int minor, int patch) implements Comparable<ToolVersion> {
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:\\.(\\d{1,6}))?");

  static Optional<ToolVersion> parse(String text) {
    Matcher number = NUMBER.matcher(text);
    if (!number.find()) {
      return Optional.empty();
    }
    String patch = number.group(3);
    return Optional.of(
        new ToolVersion(
            Integer.parseInt(number.group(1)),
            Integer.parseInt(number.group(2)),
            patch == null ? 0 : Integer.parseInt(patch)));
  }

  boolean isAtLeast(ToolVersion other) {
    return compareTo(other) >= 0;
  }

  @Override
  public int compareTo(ToolVersion other) {
    int byMajor = Integer.compare(major, other.major);
    int byMinor = Integer.compare(minor, other.minor);
    return byMajor != 0 ? byMajor : byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
