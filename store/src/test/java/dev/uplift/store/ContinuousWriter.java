package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/// A process that writes as fast as it can and prints what was acknowledged, line by line, until it is killed or its
/// output is closed.
final class ContinuousWriter {
  private static final int THREADS = 4;
  static final String TENANT = "acme";

  private ContinuousWriter() {}

  public static void main(String[] arguments) {
    Database database = Database.open(new DatabaseSettings(arguments[0], arguments[1], arguments[2]));
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      new Thread(() -> write(database, thread)).start();
    }
  }

  private static void write(Database database, int thread) {
    var deviceRepository = database.repository(DeviceRepository.class);
    var commandRepository = database.repository(CommandRepository.class);
    for (int i = 0; !System.out.checkError(); i++) {
      String name = "device-" + thread + "-" + i;
      deviceRepository.put(
          new DeviceSpec(new DeviceId(TENANT, name), List.of(new HostId(name)), Map.of(), ZoneId.of("UTC")),
          Precondition.absent());
      commandRepository.createIfAbsent(
          key(name),
          new Release("os", "1"),
          new WaitingActivity("w", "1"),
          basis -> new SignedCommand(basis.id(), name, ""));
      System.out.println(name);
    }
  }

  static CommandKey key(String name) {
    return new CommandKey(TENANT, name, new HostId(name), Step.UPGRADE, 1);
  }
}
