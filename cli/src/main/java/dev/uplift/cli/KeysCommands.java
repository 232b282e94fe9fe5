package dev.uplift.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.keys.Lines;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Whose word counts. All but `publish` and `ask` of `keys root` works offline.
@Command(
    name = "keys",
    synopsisSubcommandLabel = "COMMAND",
    description = "Makes keys, signs with them, and says whose count; docs/keys.md has the ways.",
    subcommands = RootCommands.class)
final class KeysCommands {
  private static final String TEXT = "release.json";
  private static final String SIGNATURE = "release.sig";

  @Command(
      name = "make",
      description = {
        "Makes a key pair: NAME.key.pem to sign with, NAME.pem for others to check with.",
        "Does not need a server; overwrites nothing."
      })
  int make(
      @Mixin Output output,
      @Parameters(
              paramLabel = "NAME",
              description = "Path and beginning of the names of both files.")
          String name) {
    SigningKey key = KeyFile.make(name);
    output.say("key " + key.keyId() + ": " + name + ".key.pem, " + name + ".pem");
    return 0;
  }

  @Command(
      name = "sign",
      sortOptions = false,
      description = {
        "Adds a signature to release.sig: of a second key, of a new one, or to allow going back.",
        "`uplift release publish` brings it to the server, again if need be. Does not need a server."
      })
  int sign(
      @Mixin Output output,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "FILE",
              description = "The private key, PEM.")
          Path key,
      @Option(
              names = "--downgrade",
              description =
                  "Allows this release, from now on, where a newer one of its package was, if an"
                      + " upgrade says --allow-downgrade.")
          boolean downgrade,
      @Parameters(
              paramLabel = "DIR",
              arity = "0..1",
              defaultValue = ".",
              description = "Holds release.json; default: here.")
          Path folder) {
    SigningKey signer = KeyFile.read(key);
    byte[] text = read(folder.resolve(TEXT));
    Path signature = folder.resolve(SIGNATURE);
    String before = Files.exists(signature) ? new String(read(signature), US_ASCII) : "";
    String line = signer.sign(downgrade ? Purpose.DOWNGRADE : Purpose.RELEASE, text);
    if (before.lines().noneMatch(line::equals)) {
      Lines.add(signature, before, line);
    }
    output.say(
        "%s: signed by %s%s"
            .formatted(signature, signer.keyId(), downgrade ? ", to be gone back to" : ""));
    return 0;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.USAGE, file + " cannot be read (" + e + ")", e);
    }
  }
}
