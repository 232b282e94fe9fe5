package dev.uplift.activities.links;

import dev.uplift.store.Commands;
import dev.uplift.store.Database;
import dev.uplift.store.Devices;
import dev.uplift.store.Expectations;
import dev.uplift.store.Hosts;
import dev.uplift.store.LabelWindows;
import dev.uplift.store.Releases;
import dev.uplift.store.Roots;
import dev.uplift.store.Upgrades;
import java.time.Clock;

/// The tables that this module works with.
public record Tables(
    Commands commands,
    Devices devices,
    Expectations expectations,
    Hosts hosts,
    LabelWindows labelWindows,
    Releases releases,
    Roots roots,
    Upgrades upgrades) {
  public static Tables of(Database database) {
    Clock clock = Clock.systemUTC();
    return new Tables(
        new Commands(database, clock),
        new Devices(database, clock),
        new Expectations(database, clock),
        new Hosts(database, clock),
        new LabelWindows(database, clock),
        new Releases(database, clock),
        new Roots(database, clock),
        new Upgrades(database, clock));
  }
}
