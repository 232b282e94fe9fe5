import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/// Gives the files of a folder to hosts, over HTTPS, and answers what they ask.
final class ArtifactServer implements AutoCloseable {
  private final Path folder;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  ArtifactServer(Path folder, SSLContext context) throws IOException {
    this.folder = folder;
    server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 8);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  String url(String name) {
    return "https://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
  }

  /// Sets the response to further POST requests there.
  void respondTo(String path, UnaryOperator<byte[]> answer) {
    server.createContext(path, exchange -> {
      try (exchange) {
        byte[] body = answer.apply(exchange.getRequestBody().readAllBytes());
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
      }
    });
  }

  /// From where it is asked to. What is asked for from its start and is large breaks off.
  private void serve(HttpExchange exchange) throws IOException {
    byte[] all = Files.readAllBytes(folder.resolve(exchange.getRequestURI().getPath().substring(1)));
    String range = exchange.getRequestHeaders().getFirst("Range");
    int from = range == null ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
    exchange.getResponseHeaders().set("ETag", "\"it\"");
    if (from > 0) {
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes " + from + "-" + (all.length - 1) + "/" + all.length);
    }
    exchange.sendResponseHeaders(from > 0 ? 206 : 200, all.length - from);
    boolean breaks = from == 0 && all.length > 32 << 20;
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(all, from, breaks ? 20 << 20 : all.length - from);
    } finally {
      exchange.close();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
