package dev.uplift.cli.nats;

import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The keys of NATS in production, where no `up` makes them.
@Command(
    name = "nats",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Makes and exchanges the keys of NATS, as files; docs/enrolment.md says what each is for.",
      "Works offline, and starts nothing."
    })
public final class NatsCommands {
  private static final String KEY_DESCRIPTIONS =
      "hosts-signing: signs tickets of hosts; operator-signing: signs what accounts may do; server:"
          + " what servers log in with; system: what they tell NATS with who may log in.";

  @Spec private CommandSpec command = CommandSpec.create();

  private void printLine(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(text);
    out.flush();
  }

  /// Their words, in place of Java's.
  static final class KeyConverter implements ITypeConverter<RotatableNatsKey> {
    @Override
    public RotatableNatsKey convert(String text) {
      return Stream.of(RotatableNatsKey.values())
          .filter(key -> key.toString().equals(text))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "expected one of "
                      + Stream.of(RotatableNatsKey.values())
                          .map(RotatableNatsKey::toString)
                          .collect(Collectors.joining(", "))));
    }
  }

  @Command(
      name = "init",
      sortOptions = false,
      description = {
        "Makes an operator, its accounts, credentials for servers and a nats-server's"
            + " configuration.",
        "Says which file goes where. Overwrites nothing: the folder has to be new, or empty."
      })
  int init(@Mixin NatsFolderOptions place, @Mixin NatsServerOptions wishes) {
    NatsKeyFolder keyFolder = place.keys();
    keyFolder.create();
    write(
        place.folder().resolve("nats/nats.conf"),
        wishes.toConfig(keyFolder.accountPublicKey("system")).toText());
    printLine(NatsInstructions.afterInit(place, wishes.configFolder(), wishes.dataFolder()));
    return 0;
  }

  @Command(
      name = "rotate",
      sortOptions = false,
      description = {
        "Makes another key, which stands beside the one before until `retire`, and says what to do."
      })
  int rotate(
      @Mixin NatsFolderOptions place,
      @Parameters(
              paramLabel = "KEY",
              description = KEY_DESCRIPTIONS,
              converter = KeyConverter.class)
          RotatableNatsKey key) {
    place.keys().rotate(key);
    printLine(NatsInstructions.afterRotation(key));
    return 0;
  }

  @Command(
      name = "retire",
      sortOptions = false,
      description = {
        "Only the newest key is good any more. At once where one was stolen, else once the new one"
            + " is in use."
      })
  int retire(
      @Mixin NatsFolderOptions place,
      @Parameters(
              paramLabel = "KEY",
              description = KEY_DESCRIPTIONS,
              converter = KeyConverter.class)
          RotatableNatsKey key) {
    place.keys().retire(key);
    printLine(NatsInstructions.afterRetirement(key));
    return 0;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
    }
  }
}
