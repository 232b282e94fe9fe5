package dev.uplift.api;

import dev.uplift.api.settings.Settings;
import dev.uplift.api.settings.WrongSettings;
import dev.uplift.api.wiring.OpenDatabase;
import dev.uplift.store.DatabaseAway;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;

/// The program. Its settings are environment variables; `docs/operating.md` has the table.
public final class Server {
  /// As `sysexits.h` has it for a configuration that is wrong.
  private static final int WRONG_SETTINGS = 78;

  private static final int UNAVAILABLE = 69;

  private Server() {}

  public static void main(String[] arguments) {
    try {
      Settings settings = Settings.of(System.getenv());
      with(settings, Micronaut.build(arguments).mainClass(Server.class).banner(false)).start();
    } catch (WrongSettings e) {
      end(e, WRONG_SETTINGS);
    } catch (DatabaseAway e) {
      end(e, UNAVAILABLE);
    }
  }

  private static void end(Exception why, int code) {
    System.err.println(why.getMessage());
    System.exit(code);
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
    return builder.singletons(settings, OpenDatabase.of(settings));
  }
}
