package dev.uplift.api;

import dev.uplift.api.settings.Settings;
import dev.uplift.api.settings.WrongSettings;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;

/// The program. Its settings are environment variables; `docs/operating.md` has the table.
public final class Server {
  /// As `sysexits.h` has it for a configuration that is wrong.
  private static final int WRONG_SETTINGS = 78;

  private Server() {}

  public static void main(String[] arguments) {
    try {
      Settings settings = Settings.of(System.getenv());
      with(settings, Micronaut.build(arguments).mainClass(Server.class).banner(false)).start();
    } catch (WrongSettings e) {
      System.err.println(e.getMessage());
      System.exit(WRONG_SETTINGS);
    }
  }

  /// The same within another program, such as a test.
  ///
  /// @param properties of Micronaut
  public static EmbeddedServer in(Settings settings, Map<String, Object> properties) {
    return with(settings, ApplicationContext.builder().properties(properties))
        .start()
        .getBean(EmbeddedServer.class)
        .start();
  }

  private static ApplicationContextBuilder with(
      Settings settings, ApplicationContextBuilder builder) {
    return builder.singletons(settings);
  }
}
