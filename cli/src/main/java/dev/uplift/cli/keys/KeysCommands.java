package dev.uplift.cli.keys;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
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
public final class KeysCommands {
  private static final String RELEASE_FILE = "release.json";
  private static final String SIGNATURE_FILE = "release.sig";

  @Command(
      name = "make",
      description = {
        "Makes a key pair: NAME.key.pem to sign with, NAME.pem for others to check with.",
        "Does not need a server; overwrites nothing."
      })
  int create(
      @Mixin OutputOptions outputOptions,
      @Parameters(
              paramLabel = "NAME",
              description = "Path and beginning of the names of both files.")
          String name) {
    SigningKey key = KeyFile.create(name);
    outputOptions.printLine("key " + key.keyId() + ": " + name + ".key.pem, " + name + ".pem");
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
      @Mixin OutputOptions outputOptions,
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
    SigningKey signer = KeyFile.readPrivate(key);
    byte[] text = read(folder.resolve(RELEASE_FILE));
    Path signature = folder.resolve(SIGNATURE_FILE);
    String before = Files.exists(signature) ? new String(read(signature), US_ASCII) : "";
    String line =
        signer.sign(downgrade ? SignatureDomain.DOWNGRADE : SignatureDomain.RELEASE, text);
    if (before.lines().noneMatch(line::equals)) {
      SignatureFile.appendLine(signature, before, line);
    }
    outputOptions.printLine(
        "%s: signed by %s%s"
            .formatted(signature, signer.keyId(), downgrade ? ", to be gone back to" : ""));
    return 0;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CliException(CliException.USAGE, file + " cannot be read (" + e + ")", e);
    }
  }
}
