// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.example.walletcore.Client;
import org.example.walletcore.WalletCore;
import org.example.walletcore.WalletCoreException;

/** The same host as First.kt, without Kotlin. */
public final class First {
  public static void main(String[] arguments) {
    Path file = Path.of(arguments.length > 0 ? arguments[0] : "configuration.json");
    try {
      if (!WalletCore.isInitialized()) {
        Path storage = Files.createTempDirectory("first"); // an app: context.getNoBackupFilesDir()
        WalletCore.init(
            Files.readAllBytes(file), "1.0.0", "org.example.first", storage.toString());
      }
      try (Client client = new Client("app", true)) {
        for (int seen = 0; seen < 3; seen++) { // configuration, lock and version state
          System.out.println(client.nextEvent(-1).json());
        }
      }
    } catch (WalletCoreException error) {
      System.err.println(error.name + ": " + error.getMessage());
      System.exit(1);
    } catch (IOException error) {
      System.err.println(error + "; `wallet-provider client-configuration` prints a configuration");
      System.exit(1);
    }
  }
}
