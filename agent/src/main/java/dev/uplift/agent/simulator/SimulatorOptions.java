package dev.uplift.agent.simulator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The simulator's command line.
///
/// @param hostPattern pattern of their names: the number stands for a row of `#`, with zeros before it
/// @param first number of the first host
/// @param packages version of each package at first
/// @param driverSettings of the simulated driver, on every host
/// @param rampUp over which the hosts boot, so that their heartbeats are spread
/// @param rebootDuration how long a host is offline when it reboots
record SimulatorOptions(
    String nats,
    Path credentials,
    Optional<Path> caFile,
    Path trust,
    String tenant,
    String hostPattern,
    int first,
    int count,
    int connections,
    SortedMap<String, String> packages,
    SortedMap<String, String> driverSettings,
    Duration heartbeatInterval,
    Duration rampUp,
    Duration rebootDuration) {
  static final String USAGE =
      """
      usage: simulator --nats URL --credentials FILE [--ca FILE] --trust FOLDER --tenant NAME
          --package NAME=VERSION ... [--hosts sim-#####] [--first 0] [--count 1000]
          [--connections 4] [--set NAME=VALUE ...] [--heartbeat-seconds 30] [--ramp-up-seconds 5] [--reboot-ms 2000]
      Plays COUNT hosts until it is ended. Knobs are those of the simulated driver.
      """;

  /// Throws [IllegalArgumentException] with what is wrong.
  static SimulatorOptions parse(String... arguments) {
    var texts = new TreeMap<String, String>();
    var packages = new TreeMap<String, String>();
    var settings = new TreeMap<String, String>();
    Iterator<String> rest = Arrays.asList(arguments).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      if (!name.startsWith("--") || !rest.hasNext()) {
        throw new IllegalArgumentException("expected --NAME VALUE, found " + name);
      }
      switch (name) {
        case "--package" -> putPair(packages, rest.next());
        case "--set" -> putPair(settings, rest.next());
        default -> texts.put(name, rest.next());
      }
    }
    SimulatorOptions simulatorOptions = parse(texts, packages, settings);
    if (!texts.isEmpty()) {
      throw new IllegalArgumentException("unknown: " + String.join(", ", texts.keySet()));
    }
    if (packages.isEmpty()) {
      throw new IllegalArgumentException("--package is missing");
    }
    if (simulatorOptions.hostNames().stream().distinct().count() < simulatorOptions.count()) {
      throw new IllegalArgumentException("--hosts: expected a place for a number, as in sim-#####");
    }
    return simulatorOptions;
  }

  private static SimulatorOptions parse(
      TreeMap<String, String> texts, SortedMap<String, String> packages, SortedMap<String, String> settings) {
    return new SimulatorOptions(
        required(texts, "--nats"),
        Path.of(required(texts, "--credentials")),
        Optional.ofNullable(texts.remove("--ca")).map(Path::of),
        Path.of(required(texts, "--trust")),
        required(texts, "--tenant"),
        or(texts, "--hosts", "sim-#####"),
        number(texts, "--first", 0),
        number(texts, "--count", 1000),
        Math.max(1, number(texts, "--connections", 4)),
        packages,
        settings,
        Duration.ofSeconds(Math.max(1, number(texts, "--heartbeat-seconds", 30))),
        Duration.ofSeconds(number(texts, "--ramp-up-seconds", 5)),
        Duration.ofMillis(number(texts, "--reboot-ms", 2000)));
  }

  private static void putPair(SortedMap<String, String> pairs, String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("expected NAME=VALUE, found " + text);
    }
    pairs.put(text.substring(0, equals), text.substring(equals + 1));
  }

  private static String required(SortedMap<String, String> texts, String name) {
    String text = texts.remove(name);
    if (text == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return text;
  }

  private static String or(SortedMap<String, String> texts, String name, String fallback) {
    String text = texts.remove(name);
    return text == null ? fallback : text;
  }

  private static int number(SortedMap<String, String> texts, String name, int fallback) {
    String text = or(texts, name, Integer.toString(fallback));
    if (!text.matches("\\d{1,9}")) {
      throw new IllegalArgumentException(name + ": expected a whole number, found " + text);
    }
    return Integer.parseInt(text);
  }

  List<String> hostNames() {
    return IntStream.range(first, first + count).mapToObj(this::name).toList();
  }

  private String name(int number) {
    int start = hostPattern.indexOf('#');
    if (start < 0) {
      return hostPattern;
    }
    int end = start;
    while (end < hostPattern.length() && hostPattern.charAt(end) == '#') {
      end++;
    }
    String digits = Integer.toString(number);
    String zeros = "0".repeat(Math.max(0, end - start - digits.length()));
    return hostPattern.substring(0, start) + zeros + digits + hostPattern.substring(end);
  }
}
