package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.nats.Credentials;
import io.nats.client.AuthHandler;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Not the agent, but for a launcher that knows no other: does to its host what an agent does. It beats, runs the
/// reboot command when told, and starts a service that is detached from it. Where the configuration has no server, it
/// refuses that.
public final class Agent {
  private static final Duration BEAT = Duration.ofMillis(100);

  private Agent() {}

  public static void main(String[] args) throws Exception {
    JsonObject config = JsonObject.parse(Files.readAllBytes(Path.of(args[1])));
    if (config.string("nats_urls").isEmpty()) {
      System.err.println("no server");
      System.exit(12);
    }
    String host = config.string("tenant") + "." + config.string("host");
    Options options =
        Options.builder()
            .server(config.string("nats_urls"))
            .authHandler(new Login(Credentials.read(Path.of(config.string("credentials_file")))))
            .inboxPrefix("_INBOX." + host + ".")
            .maxReconnects(-1)
            .reconnectWait(Duration.ofMillis(100))
            .build();
    Connection connection = Nats.connectReconnectOnConnect(options);
    Path bootId = Path.of(config.string("boot_id_file"));
    String script = config.stringListOr("reboot_command", List.of()).getLast();
    Subscription bell = connection.subscribe("device-cmd." + host);
    new ProcessBuilder("setsid", "sleep", "1000").start();
    while (true) {
      byte[] beat = Files.readString(bootId).getBytes(UTF_8);
      connection.publish("device-heartbeat." + host + ".1", beat);
      if (bell.nextMessage(BEAT) != null) {
        new ProcessBuilder("/bin/sh", script).start().waitFor();
      }
    }
  }

  private record Login(Credentials credentials) implements AuthHandler {
    @Override
    public byte[] sign(byte[] nonce) {
      return credentials.key().sign(nonce);
    }

    @Override
    public char @Nullable [] getID() {
      return null;
    }

    @Override
    public char[] getJWT() {
      return credentials.jwt().toCharArray();
    }
  }
}
