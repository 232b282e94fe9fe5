package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.bundle.ShopHost;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A host with a shop on it, and what it is ordered.
final class ShopAgent {
  private final ShopTestbed testbed;
  private final StackHost host;
  private final ShopHost shopHost;
  private @Nullable Command prepare;
  private @Nullable Command upgrade;

  ShopAgent(ShopTestbed testbed, StackHost host, ShopHost shopHost) {
    this.testbed = testbed;
    this.host = host;
    this.shopHost = shopHost;
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
  void sendNextCommand() throws Exception {
    if (prepare == null) {
      prepare = testbed.send(host, CommandAction.PREPARE);
    } else if (upgrade == null && !outcomes(prepare).isEmpty()) {
      upgrade = testbed.send(host, CommandAction.UPGRADE);
    }
  }

  boolean isUpgraded() {
    return !outcomes(upgrade).isEmpty();
  }

  /// All its answers have arrived, and it knows.
  boolean allOutcomesSent() {
    return isMarkedSent(prepare) && isMarkedSent(upgrade);
  }

  private boolean isMarkedSent(@Nullable Command command) {
    if (command == null) {
      return false;
    }
    try {
      Path op = host.stateFolder().resolve("commands").resolve(command.id() + ".json");
      return Files.readString(op).contains("\"sent\":true");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Event> outcomes(@Nullable Command command) {
    return command == null ? List.of() : testbed.testbed().outcomes(command);
  }

  /// Asserts the view of customers: one complete version, and the shop open.
  void assertWorking() throws IOException {
    assertThat(shopHost.current()).as(name()).isIn("1.0", "2.0");
    assertThat(shopHost.servedVersion()).as(name()).isIn("1.0", "2.0");
  }

  void assertUpgradedOnce() throws IOException {
    assertThat(outcomes(prepare)).as(name()).extracting(ShopAgent::result).containsOnly(new CommandResult.Done());
    assertThat(outcomes(upgrade)).as(name()).extracting(ShopAgent::result).containsOnly(new CommandResult.Done());
    assertThat(outcomes(upgrade)).as(name()).extracting(Event::version).containsOnly("2.0");
    assertThat(shopHost.current()).as(name()).isEqualTo("2.0");
    assertThat(shopHost.servedVersion()).as(name()).isEqualTo("2.0");
    assertThat(shopHost.starts()).as(name()).containsExactly("2.0");
  }

  private static CommandResult result(Event event) {
    return ((Event.Outcome) event.content()).result();
  }
}
