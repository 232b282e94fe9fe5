package dev.uplift.testservers;

/// A PostgreSQL that can be killed and started again, on the same port with the same data. It trusts every user of this
/// machine.
public interface PostgresServer extends AutoCloseable {
  default String user() {
    return "postgres";
  }

  /// The address of a database; the one named as the user is always there.
  String url(String database);

  /// As `kill -9` of all its processes does.
  void kill();

  void start();

  @Override
  void close();
}
