import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes a folder with everything that a server takes: a Java runtime of the modules that it needs, its jars, an archive
/// of loaded classes, and what starts it. Runs on a JDK, without network:
///
///     java ServerDistribution.java PROGRAM TARGET
///
/// PROGRAM is `api/target/program`. TARGET must not exist. The variable CLASSES says how many of the classes that a start
/// loads are in the archive, in the order in which they are loaded. With 0 there is the one that Java has of its own
/// classes, and the folder has the same bytes each time that it is made of the same program.
final class ServerDistribution {
  /// As `jdeps` finds them, and those that are only asked for by name: DNS of cluster addresses, `jcmd`.
  private static final String MODULES =
      "java.base,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss,"
          + "java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.crypto.cryptoki,jdk.jcmd,jdk.jfr,"
          + "jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs";

  private static final String MAIN = "dev.uplift.api.Server";
  private static final String ARCHIVE = "classes.jsa";
  private static final String CLASSES = "4000";

  /// Not loaded with PostgreSQL, which is what a server has outside of a local stack.
  private static final String UNUSED = "org/h2/";

  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

  private final Path dist;
  private final Path program;
  private final Path target;

  private ServerDistribution(Path dist, Path program, Path target) {
    this.dist = dist;
    this.program = program;
    this.target = target;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("usage: java ServerDistribution.java PROGRAM TARGET");
      System.exit(64);
    }
    Path source = Path.of(System.getProperty("jdk.launcher.sourcefile", "ServerDistribution.java"));
    var distribution =
        new ServerDistribution(
            source.toAbsolutePath().getParent(),
            Path.of(arguments[0]).toAbsolutePath(),
            Path.of(arguments[1]).toAbsolutePath());
    int classes = Integer.parseInt(System.getenv().getOrDefault("CLASSES", CLASSES));
    distribution.link(classes == 0);
    List<String> jars = distribution.copyProgram();
    if (classes == 0) {
      distribution.writeOptions(jars, List.of());
    } else {
      distribution.archiveClasses(jars, classes);
      distribution.writeOptions(jars, List.of("-XX:SharedArchiveFile=" + ARCHIVE));
    }
    System.out.println(arguments[1]);
  }

  private void link(boolean withArchive) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--add-modules",
                MODULES,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--vm=server",
                "--compress=zip-9",
                "--output",
                target.resolve("java").toString()));
    if (withArchive) {
      options.add("--generate-cds-archive");
    }
    int status =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IllegalStateException("expected a JDK, this Java has no jlink"))
            .run(System.out, System.err, options.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalStateException("jlink ended with " + status);
    }
  }

  /// Returns the jars, relative to the folder. The archive is valid only for the same ones in the same order.
  private List<String> copyProgram() throws IOException {
    Files.createDirectory(target.resolve("lib"));
    List<String> jars = new ArrayList<>();
    for (Path jar : list(program, ".jar")) {
      String name = "lib/" + jar.getFileName();
      Files.copy(jar, target.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
      jars.add(name);
    }
    for (String file : List.of("uplift-server", "uplift-server.service", "uplift-server.env")) {
      Files.copy(dist.resolve(file), target.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    return jars;
  }

  private static List<Path> list(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /// What every server is started with, from within the folder.
  private static List<String> options(List<String> jars, List<String> more) {
    List<String> options = new ArrayList<>();
    options.add("--sun-misc-unsafe-memory-access=allow");
    options.add("--enable-native-access=ALL-UNNAMED");
    options.add("-XX:+ExitOnOutOfMemoryError");
    options.add("-XX:MaxRAMPercentage=60");
    // An archive that does not fit, as with another collector, is left out without a word.
    options.add("-Xlog:cds=off");
    options.add("-Xlog:aot=off");
    options.addAll(more);
    options.add("-cp");
    options.add(String.join(":", jars));
    options.add(MAIN);
    return options;
  }

  private void writeOptions(List<String> jars, List<String> more) throws IOException {
    Files.write(target.resolve("options"), options(jars, more));
  }

  // --- the archive of classes -------------------------------------------------------------------------

  private void archiveClasses(List<String> jars, int count) throws Exception {
    Path work = Files.createTempDirectory("uplift-server");
    try {
      Path loaded = work.resolve("classes");
      train(work, options(jars, List.of("-XX:DumpLoadedClassList=" + loaded, "-Xshare:off")));
      List<String> wanted;
      try (Stream<String> lines = Files.lines(loaded)) {
        wanted = lines.filter(line -> !line.contains(UNUSED)).limit(count).toList();
      }
      Files.write(loaded, wanted);
      Process dump =
          java(
              options(
                  jars,
                  List.of("-Xshare:dump", "-XX:SharedClassListFile=" + loaded, "-XX:SharedArchiveFile=" + ARCHIVE)),
              work,
              Map.of());
      if (!dump.waitFor(5, TimeUnit.MINUTES) || dump.exitValue() != 0) {
        dump.destroyForcibly();
        throw failure("the archive of classes was not made", work);
      }
    } finally {
      deleteTree(work);
    }
  }

  /// Starts a server that has neither NATS nor Temporal, asks it for a few things, and ends it.
  private void train(Path work, List<String> options) throws Exception {
    int port = freePort();
    Process server = java(options, work, settings(work, port));
    try {
      var base = "http://127.0.0.1:" + port;
      long end = System.nanoTime() + START_TIMEOUT.toNanos();
      while (status(base + "/health/readiness") != 200) {
        if (!server.isAlive() || System.nanoTime() > end) {
          throw failure("the server did not start", work);
        }
        Thread.sleep(200);
      }
      for (String path : List.of("/", "/health", "/health/liveness", "/prometheus", "/v1/tenants")) {
        status(base + path);
      }
      server.destroy();
      if (!server.waitFor(1, TimeUnit.MINUTES)) {
        throw failure("the server did not end", work);
      }
    } finally {
      server.destroyForcibly();
    }
  }

  private Process java(List<String> options, Path work, Map<String, String> environment) throws IOException {
    List<String> command = new ArrayList<>(List.of(target.resolve("java/bin/java").toString()));
    command.addAll(options);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(target.toFile())
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("log").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("UPLIFT_") || name.startsWith("MICRONAUT_"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Map<String, String> settings(Path work, int port) throws IOException, NoSuchAlgorithmException {
    Path keys = Files.createDirectory(work.resolve("keys"));
    byte[] key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate().getEncoded();
    Files.writeString(
        keys.resolve("1.pem"),
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
            .formatted(Base64.getEncoder().encodeToString(key)));
    Path secret = Files.writeString(work.resolve("secret"), "of-nothing-but-a-server-that-ends-at-once");
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("MICRONAUT_SERVER_HOST", "127.0.0.1");
    settings.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
    settings.put("UPLIFT_PUBLIC_URL", "http://127.0.0.1:" + port);
    settings.put("UPLIFT_DATABASE_URL", "jdbc:h2:mem:uplift");
    settings.put("UPLIFT_NATS_URL", "nats://127.0.0.1:1");
    settings.put("UPLIFT_TEMPORAL_ADDRESS", "127.0.0.1:1");
    settings.put("UPLIFT_JWT_SECRET_FILE", secret.toString());
    settings.put("UPLIFT_ARTIFACTS_SECRET_FILE", secret.toString());
    settings.put("UPLIFT_ARTIFACTS_FOLDER", work.resolve("artifacts").toString());
    settings.put("UPLIFT_COMMAND_KEYS_FOLDER", keys.toString());
    return settings;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int status(String url) throws InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20)).build();
      return client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException _) {
      return 0;
    }
  }

  private static IllegalStateException failure(String what, Path work) throws IOException {
    try (Stream<String> lines = Files.lines(work.resolve("log"))) {
      return new IllegalStateException(what + ":\n" + lines.collect(Collectors.joining("\n")));
    }
  }

  private static void deleteTree(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> {
        try {
          Files.delete(file);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
  }
}
