import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type PluginOption } from "vite";

const server = process.env.RASPUTITSA_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig(async ({ mode }) => {
  const plugins: PluginOption[] = [svelte()];
  if (mode === "mock") plugins.push((await import("./mock/plugin.ts")).mockServer());
  return {
    plugins,
    optimizeDeps: { include: ["milsymbol"] },
    build: {
      outDir: "../src/rasputitsa/server/static",
      emptyOutDir: true,
      target: "es2022",
      chunkSizeWarningLimit: 1100, // milsymbol with all its icons is one megabyte
    },
    server: mode === "mock" ? {} : { proxy: { "/api": { target: server, ws: true } } },
    // only against a test that hangs: none depends on how busy the machine is
    test: { include: ["test/**/*.test.ts"], testTimeout: 240_000 },
  };
});
