package dev.uplift.cli;

import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.CommandFailed;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Makes the pair of files that [ReleaseKey] reads.
@Command(
    name = "key",
    description = {
      "Makes a key pair to sign releases with.",
      "Writes NAME.key.pem (keep it offline) and NAME.pem (for servers and agents to trust).",
      "Does not need a server; overwrites nothing."
    })
final class KeyCommand implements Callable<Integer> {
  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  @Parameters(paramLabel = "NAME", description = "Path and beginning of the names of both files.")
  private String name = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    ReleaseKey key = ReleaseKey.random();
    write(Path.of(name + ".key.pem"), key.privatePem(), "rw-------");
    write(Path.of(name + ".pem"), key.publicPem(), "rw-r--r--");
    var out = spec.commandLine().getOut();
    out.println("key " + key.id() + ": " + name + ".key.pem, " + name + ".pem");
    out.flush();
    return 0;
  }

  private static void write(Path file, String text, String mode) {
    var attribute = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    try (var channel = Files.newByteChannel(file, NEW, attribute)) {
      channel.write(
          java.nio.ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailed(
          CommandFailed.REFUSED, file + " exists already, and no key is overwritten", e);
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.REFUSED, "cannot write " + file + " (" + e + ")", e);
    }
  }
}
