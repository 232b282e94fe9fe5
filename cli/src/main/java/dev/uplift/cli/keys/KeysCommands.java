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

/// Keys and trust roots. All but `publish` and `fetch` of `keys root` works offline.
@Command(
    name = "keys",
    synopsisSubcommandLabel = "COMMAND",
    description = "Create keys, sign with them, and manage trust roots; see docs/keys.md.",
    subcommands = RootCommands.class)
public final class KeysCommands {
  private static final String RELEASE_FILE = "release.json";
  private static final String SIGNATURE_FILE = "release.sig";

  @Command(
      name = "create",
      description = {
        "Create a key pair: NAME.key.pem to sign with, NAME.pem to verify with.",
        "Works offline; overwrites nothing."
      })
  int create(
      @Mixin OutputOptions outputOptions,
      @Parameters(
              paramLabel = "NAME",
              description = "Path and name of both files, without extension.")
          String name) {
    SigningKey key = KeyFile.create(name);
    outputOptions.printLine("key " + key.keyId() + ": " + name + ".key.pem, " + name + ".pem");
    return 0;
  }

  @Command(
      name = "sign",
      sortOptions = false,
      description = {
        "Add a signature to release.sig: by a second or a new key, or to permit a downgrade.",
        "Works offline; `uplift release publish` publishes it, also for a release that is published"
            + " already."
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
              names = "--allow-downgrade",
              description =
                  "Permit this release on hosts with a newer one, for upgrades with"
                      + " --allow-downgrade.")
          boolean allowDowngrade,
      @Parameters(
              paramLabel = "DIR",
              arity = "0..1",
              defaultValue = ".",
              description = "Directory of release.json; default: here.")
          Path folder) {
    SigningKey signer = KeyFile.readPrivate(key);
    byte[] text = read(folder.resolve(RELEASE_FILE));
    Path signature = folder.resolve(SIGNATURE_FILE);
    String before = Files.exists(signature) ? new String(read(signature), US_ASCII) : "";
    String line =
        signer.sign(allowDowngrade ? SignatureDomain.DOWNGRADE : SignatureDomain.RELEASE, text);
    if (before.lines().noneMatch(line::equals)) {
      SignatureFile.appendLine(signature, before, line);
    }
    outputOptions.printLine(
        "%s: signed by %s%s"
            .formatted(signature, signer.keyId(), allowDowngrade ? ", as a downgrade" : ""));
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
