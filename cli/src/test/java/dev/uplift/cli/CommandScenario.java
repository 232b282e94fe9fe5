package dev.uplift.cli;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The command as a shell calls it, against a server that gives prepared answers: arguments in; requests, output and
/// exit code out.
public abstract class CommandScenario {
  protected static final String TOKEN = "the-token-of-the-caller";

  protected final StringWriter out = new StringWriter();
  protected final StringWriter err = new StringWriter();
  protected final StubServer stub;

  @TempDir protected Path folder;

  protected CommandScenario() {
    try {
      stub = new StubServer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void writeToken() {
    PrivateFile.write(folder.resolve("token"), TOKEN + "\n");
  }

  @AfterEach
  void closeServer() {
    stub.close();
  }

  /// Runs it with the address of the server, a token and the tenant `acme`, and returns the exit code.
  protected int uplift(String... arguments) {
    List<String> login = List.of("--url=" + stub.url(), "--token-file=" + folder.resolve("token"), "--tenant=acme");
    return run(Stream.concat(Stream.of(arguments), login.stream()).toArray(String[]::new));
  }

  /// Runs a command of a group, as [#uplift] does.
  protected int upliftIn(String group, String... arguments) {
    return uplift(Stream.concat(Stream.of(group), Stream.of(arguments)).toArray(String[]::new));
  }

  /// Runs it with these arguments alone, and returns the exit code.
  protected int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
  }
}
