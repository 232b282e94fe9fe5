package dev.uplift.cli.keys;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Keys and trust roots. All but `publish` and `fetch` of `keys root` works offline.
@Command(
    name = "keys",
    addMethodSubcommands = false,
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
      @Mixin OutputOptions output,
      @Parameters(paramLabel = "NAME", description = "Path and name of both files, without extension.") String name) {
    SigningKey key = KeyFile.create(name);
    output.printLine("key " + key.keyId() + ": " + name + ".key.pem, " + name + ".pem");
    return 0;
  }

  @Command(
      name = "sign",
      sortOptions = false,
      description = {
        "Add a signature to release.sig: by a second or a new key, or to permit a downgrade.",
        "Works offline; `uplift release publish` publishes it, also for a release that is published" + " already."
      })
  int sign(
      @Mixin OutputOptions output,
      @Option(names = "--key", required = true, paramLabel = "FILE", description = "The private key, PEM.") Path key,
      @Option(
              names = "--allow-downgrade",
              description = "Permit this release on hosts with a newer one, for upgrades with" + " --allow-downgrade.")
          boolean allowDowngrade,
      @Parameters(
              paramLabel = "DIR",
              arity = "0..1",
              defaultValue = ".",
              description = "Directory of release.json; default: here.")
          Path folder) {
    SigningKey signer = KeyFile.readPrivate(key);
    byte[] text = UserFile.readBytes(folder.resolve(RELEASE_FILE));
    Path signature = folder.resolve(SIGNATURE_FILE);
    UserFile.addLine(
        signature, signer.sign(allowDowngrade ? SignatureDomain.DOWNGRADE : SignatureDomain.RELEASE, text));
    output.printLine(
        "%s: signed by %s%s".formatted(signature, signer.keyId(), allowDowngrade ? ", as a downgrade" : ""));
    return 0;
  }
}
