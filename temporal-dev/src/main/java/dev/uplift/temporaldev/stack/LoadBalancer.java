package dev.uplift.temporaldev.stack;

import static java.util.stream.Collectors.joining;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import java.net.URI;
import java.util.List;
import java.util.Map;

/// Caddy in front of the Uplift servers. Gives each request to a server that reaches its database; one that could not
/// be handed over goes to the next.
public final class LoadBalancer extends StackProcess {
  private final StackContext stack;
  private final List<UpliftServer> servers;

  LoadBalancer(ProcessContext context, StackContext stack, List<UpliftServer> servers) {
    super(context);
    this.stack = stack;
    this.servers = servers;
  }

  /// Returns the base URL of the REST interface.
  public String url() {
    return "http://127.0.0.1:" + stack.ports().portOf(name());
  }

  /// Returns the base URL for hosts.
  String urlForHosts() {
    return stack.usesTls() ? "https://127.0.0.1:" + stack.ports().portOf(name() + " https") : url();
  }

  @Override
  void ensureProgram() {
    var _ = stack.programs().caddy();
  }

  @Override
  LaunchCommand prepareLaunch() {
    stack.ports().checkFree(name());
    PrivateFile.write(folder().resolve("Caddyfile"), configuration());
    return new LaunchCommand(
        List.of(stack.programs().caddy().toString(), "run", "--config", folder().resolve("Caddyfile").toString()),
        // Its own files stay here.
        Map.of("XDG_DATA_HOME", folder().toString(), "XDG_CONFIG_HOME", folder().toString()));
  }

  private String configuration() {
    String https = "";
    if (stack.usesTls()) {
      TlsCertificates certificates = stack.secrets().certificates();
      https =
          """
          https://:%d {
            bind 127.0.0.1
            tls "%s" "%s"
            import servers
          }
          """
              .formatted(stack.ports().portOf(name() + " https"), certificates.serverChain(), certificates.serverKey());
    }
    return """
    {
      admin off
      auto_https off
      persist_config off
      log {
        level WARN
      }
    }
    (servers) {
      reverse_proxy %s {
        lb_policy round_robin
        lb_try_duration 5s
        fail_duration 5s
        health_uri /health/readiness
        health_interval 1s
        health_timeout 2s
        flush_interval -1
        transport http {
          dial_timeout 1s
        }
      }
    }
    http://:%d {
      bind 127.0.0.1
      import servers
    }
    %s\
    """
        .formatted(
            servers.stream().map(server -> URI.create(server.url()).getAuthority()).collect(joining(" ")),
            stack.ports().portOf(name()),
            https);
  }

  @Override
  boolean isReady() {
    return HttpProbe.respondsOk(url() + "/health");
  }
}
