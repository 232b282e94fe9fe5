package dev.uplift.api;

import dev.uplift.api.settings.InvalidSettings;
import dev.uplift.api.settings.Settings;
import dev.uplift.services.archive.Archiver;
import dev.uplift.services.trust.Ed25519Provider;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.archive.ArchiveRepository;
import dev.uplift.store.tenant.TenantRepository;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The program. Its settings are environment variables; `--help` and `docs/operating.md` list them.
public final class Server {
  /// As `sysexits.h` has it for a configuration that is wrong.
  private static final int EX_CONFIG = 78;

  private static final int EX_UNAVAILABLE = 69;
  private static final int EX_IOERR = 74;

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

  /// A virtual thread that loads a class keeps its carrier, also while it waits for another one. With as few carriers
  /// as a small machine has processors, all of them could wait for a thread that has none.
  private static final int MIN_CARRIERS = 8;

  private static final String HELP =
      """
      The Uplift server. Its settings are environment variables; those of Micronaut
      (MICRONAUT_SERVER_HOST, MICRONAUT_SERVER_PORT, ...) apply too.
      With the argument `archive` it archives what is old enough once, and ends; with `migrate` it brings the tables
      to its version and ends, and needs the settings of the database only.

      """;

  private Server() {}

  public static void main(String[] arguments) {
    if (System.getProperty(CARRIERS) == null) {
      System.setProperty(
          CARRIERS, Integer.toString(Math.max(MIN_CARRIERS, Runtime.getRuntime().availableProcessors())));
    }
    Ed25519Provider.install();
    if (List.of(arguments).contains("--help")) {
      System.out.println(HELP + Settings.help());
      return;
    }
    try {
      if (List.of(arguments).equals(List.of("migrate"))) {
        System.out.println(Database.migrateTables(Settings.databaseOf(System.getenv())));
        return;
      }
      Settings settings = Settings.of(System.getenv());
      if (List.of(arguments).equals(List.of("archive"))) {
        System.out.println(archive(settings));
        return;
      }
      contextBuilder(settings, Micronaut.build(arguments).mainClass(Server.class).banner(false)).start();
    } catch (InvalidSettings e) {
      exit(e, EX_CONFIG);
    } catch (DatabaseUnavailable e) {
      exit(e, EX_UNAVAILABLE);
    } catch (UncheckedIOException e) {
      exit(e, EX_IOERR);
    }
  }

  /// Moves what is old enough to the archive now, without starting the server.
  private static String archive(Settings settings) throws InvalidSettings {
    if (settings.archive().folder().isEmpty()) {
      throw new InvalidSettings(List.of("UPLIFT_ARCHIVE_FOLDER is not set: there is nowhere to archive to"));
    }
    try (Database database = Database.open(settings.database())) {
      return new Archiver(
              database,
              database.repository(TenantRepository.class),
              database.repository(ArchiveRepository.class),
              settings.archive(),
              InstantSource.system())
          .run()
          .toString();
    }
  }

  private static void exit(Exception why, int code) {
    System.err.println(why.getMessage());
    System.exit(code);
  }

  /// Starts the server within another program, such as a test.
  ///
  /// @param properties of Micronaut
  public static EmbeddedServer startEmbedded(Settings settings, Map<String, Object> properties) {
    return contextBuilder(settings, ApplicationContext.builder().properties(properties))
        .start()
        .getBean(EmbeddedServer.class)
        .start();
  }

  /// The database is opened before anything else: without it there is nothing to start.
  private static ApplicationContextBuilder contextBuilder(Settings settings, ApplicationContextBuilder builder) {
    Database database = Database.open(settings.database());
    return builder.singletons(settings.beans()).singletons(database).singletons(database.repositories());
  }
}
