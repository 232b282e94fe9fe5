package dev.uplift.temporaldev.stack;

import java.util.List;
import java.util.stream.Stream;

/// What a stack has beside its first servers so that it is as in production: three nats-servers with three replicas of
/// each stream, Temporal's server for production on PostgreSQL, and three Uplift servers behind a load balancer.
///
/// @param natsServers all three, [Stack#nats] among them
/// @param servers all three, [Stack#server] among them
public record Cluster(
    List<NatsServer> natsServers,
    LocalPostgresServer postgres,
    TemporalServer temporal,
    StackProcess temporalUi,
    List<UpliftServer> servers,
    LoadBalancer loadBalancer) {

  static final List<String> NATS_SERVERS = List.of("nats", "nats-2", "nats-3");
  static final List<String> SERVERS = List.of("server", "server-2", "server-3");

  /// Returns the names of the nats-servers of a stack that has been started.
  static List<String> natsServersOf(PortAllocator ports) {
    return ports.isAssigned(NATS_SERVERS.getLast()) ? NATS_SERVERS : NATS_SERVERS.subList(0, 1);
  }

  /// Returns all parts in the order in which they are started.
  public List<StackProcess> parts() {
    return Stream.of(natsServers, List.of(postgres, temporal, temporalUi), servers, List.of(loadBalancer))
        .<StackProcess>flatMap(List::stream)
        .toList();
  }
}
