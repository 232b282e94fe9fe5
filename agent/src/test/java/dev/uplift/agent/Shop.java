package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.bundle.ShopHost;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import dev.uplift.temporaldev.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A host with a shop on it, and what it is ordered.
final class Shop {
  private final ShopSite site;
  private final Host host;
  private final ShopHost shop;
  private @Nullable Command prepare;
  private @Nullable Command upgrade;

  Shop(ShopSite site, Host host, ShopHost shop) {
    this.site = site;
    this.host = host;
    this.shop = shop;
  }

  String name() {
    return host.id();
  }

  Path folder() {
    return host.folder();
  }

  Path configuration() {
    return host.config();
  }

  /// As the server does: the upgrade, once it is prepared.
  void orderWhatIsNext() throws Exception {
    if (prepare == null) {
      prepare = site.send(host, Action.PREPARE);
    } else if (upgrade == null && !answers(prepare).isEmpty()) {
      upgrade = site.send(host, Action.UPGRADE);
    }
  }

  boolean isUpgraded() {
    return !answers(upgrade).isEmpty();
  }

  /// All its answers have arrived, and it knows.
  boolean hasNothingToSay() {
    return knowsItIsSent(prepare) && knowsItIsSent(upgrade);
  }

  private boolean knowsItIsSent(@Nullable Command command) {
    if (command == null) {
      return false;
    }
    try {
      Path op = host.stateFolder().resolve("ops").resolve(command.id() + ".json");
      return Files.readString(op).contains("\"sent\":true");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Event> answers(@Nullable Command command) {
    return command == null ? List.of() : site.site().outcomes(command);
  }

  /// What people see: one version, whole, and the shop open.
  void assertWorking() throws IOException {
    assertThat(shop.current()).as(name()).isIn("1.0", "2.0");
    assertThat(shop.serving()).as(name()).isIn("1.0", "2.0");
  }

  void assertUpgradedOnce() throws IOException {
    assertThat(answers(prepare))
        .as(name())
        .extracting(Shop::result)
        .containsOnly(new Result.Done());
    assertThat(answers(upgrade))
        .as(name())
        .extracting(Shop::result)
        .containsOnly(new Result.Done());
    assertThat(answers(upgrade)).as(name()).extracting(Event::version).containsOnly("2.0");
    assertThat(shop.current()).as(name()).isEqualTo("2.0");
    assertThat(shop.serving()).as(name()).isEqualTo("2.0");
    assertThat(shop.starts()).as(name()).containsExactly("2.0");
  }

  private static Result result(Event event) {
    return ((Event.Outcome) event.said()).result();
  }
}
