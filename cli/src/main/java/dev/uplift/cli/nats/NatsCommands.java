package dev.uplift.cli.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.protocol.PrintableText;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// Keys of NATS in production; for the local stack `up` creates them.
@Command(
    name = "nats",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Create and rotate the keys of NATS, as files; docs/enrolment.md explains each.",
      "Works offline and starts nothing."
    })
public final class NatsCommands {
  private static final String KEY_DESCRIPTIONS =
      "hosts-signing: signs JWTs of hosts; operator-signing: signs account JWTs; server:"
          + " credentials of Uplift servers; system: their credentials to update account JWTs.";

  @Spec private CommandSpec command = CommandSpec.create();

  private void printLine(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(PrintableText.lines(text));
    out.flush();
  }

  /// Converts the names of keys.
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
        "Create an operator, its accounts, credentials for servers and the configuration of a" + " nats-server.",
        "Prints the destination of each file. Overwrites nothing: the folder must be new or empty."
      })
  int init(@Mixin NatsFolderOptions folderOptions, @Mixin NatsServerOptions serverOptions) {
    NatsKeyFolder keyFolder = folderOptions.keys();
    keyFolder.create();
    String config = serverOptions.toConfig(keyFolder.accountPublicKey("system")).toText();
    var _ = UserFile.write(folderOptions.folder().resolve("nats/nats.conf"), config.getBytes(UTF_8));
    printLine(NatsInstructions.afterInit(folderOptions, serverOptions.configFolder(), serverOptions.dataFolder()));
    return 0;
  }

  @Command(
      name = "rotate",
      sortOptions = false,
      description = {"Create a new key; the previous one stays valid until `retire`. Prints the next steps."})
  int rotate(
      @Mixin NatsFolderOptions folderOptions,
      @Parameters(paramLabel = "KEY", description = KEY_DESCRIPTIONS, converter = KeyConverter.class)
          RotatableNatsKey key) {
    folderOptions.keys().rotate(key);
    printLine(NatsInstructions.afterRotation(key));
    return 0;
  }

  @Command(
      name = "retire",
      sortOptions = false,
      description = {"Retire all previous keys. At once if one was stolen, otherwise once the new one is in" + " use."})
  int retire(
      @Mixin NatsFolderOptions folderOptions,
      @Parameters(paramLabel = "KEY", description = KEY_DESCRIPTIONS, converter = KeyConverter.class)
          RotatableNatsKey key) {
    folderOptions.keys().retire(key);
    printLine(NatsInstructions.afterRetirement(key));
    return 0;
  }
}
