package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.nats.Credentials;
import io.nats.client.AuthHandler;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Not the agent, but for a launcher that knows no other: does to its host what an agent does. It
/// beats, runs the reboot command when told, and starts a service that is detached from it. Where
/// the configuration has no server, it refuses that.
public final class Agent {
  private static final Duration BEAT = Duration.ofMillis(100);

  private Agent() {}

  public static void main(String[] args) throws Exception {
    String config = Files.readString(Path.of(args[1]));
    if (text(config, "nats_urls").isEmpty()) {
      System.err.println("no server");
      System.exit(12);
    }
    String host = text(config, "tenant") + "." + text(config, "host");
    Options options =
        Options.builder()
            .server(text(config, "nats_urls"))
            .authHandler(new Login(Credentials.read(Path.of(text(config, "credentials_file")))))
            .inboxPrefix("_INBOX." + host + ".")
            .maxReconnects(-1)
            .reconnectWait(Duration.ofMillis(100))
            .build();
    Connection connection = Nats.connectReconnectOnConnect(options);
    Path bootId = Path.of(text(config, "boot_id_file"));
    String script = text(config, "\"/bin/sh\",\n    \"", "\"");
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

  private static String text(String json, String field) {
    return text(json, "\"" + field + "\": \"", "\"");
  }

  private static String text(String json, String before, String after) {
    Matcher text =
        Pattern.compile(Pattern.quote(before) + "(.*?)" + Pattern.quote(after)).matcher(json);
    if (!text.find()) {
      throw new IllegalArgumentException("no " + before + " in " + json);
    }
    return text.group(1);
  }
}
