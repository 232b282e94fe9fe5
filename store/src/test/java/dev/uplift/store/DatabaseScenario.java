package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.tenant.TenantRepository;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs every test of a class on each [DatabaseEngine], on a database of its own, in a tenant of its own.
@ParameterizedClass
@EnumSource
@SuppressWarnings("NullAway.Init")
public // JUnit sets them
abstract class DatabaseScenario {
  private static final AtomicInteger TENANTS = new AtomicInteger();
  private static final ManualClock CLOCK = new ManualClock();

  public static DatabaseSettings settings;
  public static Database database;

  @Parameter DatabaseEngine engine;

  public final ManualClock clock = CLOCK;
  public String tenant = "";

  @BeforeParameterizedClassInvocation
  static void openDatabase(DatabaseEngine databaseEngine) {
    settings = databaseEngine.newDatabase();
    database = Database.open(settings, CLOCK);
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void createTenant() {
    CLOCK.set(ManualClock.START);
    tenant = newTenant();
  }

  public final String newTenant() {
    String name = "tenant-" + TENANTS.incrementAndGet();
    database.repository(TenantRepository.class).put(name, "");
    return name;
  }

  public final DeviceId device(String name) {
    return new DeviceId(tenant, name);
  }

  public final DeviceSpec spec(String name, String... hosts) {
    return new DeviceSpec(device(name), hosts(hosts), Map.of(), ZoneId.of("Europe/Berlin"));
  }

  public static List<HostId> hosts(String... hosts) {
    return Stream.of(hosts).map(HostId::new).toList();
  }
}
