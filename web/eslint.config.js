import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** What the engine knows it tells in fields of its own: no client reads it out of words, or by its place in a list. */
const patterns = [
  {
    selector:
      "CallExpression[callee.property.name=/^(split|match|matchAll|replaceAll|startsWith|endsWith|exec|test)$/]",
    message: "Ask the engine for a field; a module that takes apart what is not words of the engine is listed below.",
  },
  {
    selector: "CallExpression[callee.property.name='replace'][callee.object.name!='location']",
    message: "Ask the engine for a field; a module that takes apart what is not words of the engine is listed below.",
  },
];
const places = [
  {
    selector: "MemberExpression[computed=true][property.type='Literal'][object.property.name=/^(units|about)$/]",
    message: "Name it: unit, source or target of the option, transfer of the view.",
  },
];
/** Modules that take apart addresses, keys, markup, files or what a player types. */
const takingApart = [
  "src/games/plain/words.ts", // names of members
  "src/lib/account/passkeys.ts", // base64
  "src/lib/classroom/keys.ts", // codes that are typed
  "src/lib/counters/{plain,symbol}.ts", // symbol codes, SVG
  "src/lib/dice/check.ts", // a saved game
  "src/lib/dice/DiceDialog.svelte", // names of streams
  "src/lib/input/keyboard.ts", // names of elements
  "src/lib/lessons/marking.ts", // selectors
  "src/lib/net/{address,api,call,letters,store}.ts", // addresses
  "src/lib/panels/**/CommandLine.svelte", // what is typed
  "src/lib/panels/**/RuleText.svelte", // empty lines
  "src/lib/state/marks.ts", // {unit:39Pz}
  "src/lib/state/{breakpoints,route,rules}.ts", // conditions on the window, addresses, numbers of paragraphs
  "src/lib/state/table/questions.ts", // what is typed
  "src/lib/terms/find.ts", // words to be explained, found where they stand
  "src/lib/ui/Lessons.svelte", // addresses
  "src/lib/ui/markup.ts", // **stress**, `orders`, {rule:XIII.C}
  "src/games/wir/table/keys.ts", // keys
  "src/pages/NewGame.svelte", // what is typed
];

/** What differs between games belongs to the client of each. */
const games = [{ selector: "Literal[value=/^(portfolio|wir)$/]", message: "The shared client names no game." }];

/** An effect is the last resort: each says why. */
const effects = {
  rules: {
    reason: {
      meta: { type: "suggestion", messages: { missing: "Say in a comment above why nothing but an effect will do." } },
      create: (context) => ({
        "ExpressionStatement > CallExpression[callee.name='$effect']": (node) => {
          if (!context.sourceCode.getCommentsBefore(node.parent).length) context.report({ node, messageId: "missing" });
        },
      }),
    },
  },
};

export default defineConfig(
  { ignores: ["dist", "node_modules", "src/lib/api/schema.d.ts"] },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: {
        projectService: { allowDefaultProject: ["eslint.config.js", "svelte.config.js"] },
        extraFileExtensions: [".svelte"],
      },
    },
    plugins: { effects },
    rules: {
      "effects/reason": "error",
      "max-len": ["error", { code: 140 }],
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_" }],
      // effects only where nothing else will do
      "svelte/prefer-writable-derived": "error",
      "svelte/no-unnecessary-state-wrap": "error",
      // state is replaced as a whole ($state.raw); the maps and sets that this rule finds are built and handed on
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // what each game adds to the shapes of the shell
    files: ["src/lib/net/types.ts", "src/games/*/shapes.ts"],
    rules: { "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "always" }] },
  },
  { files: ["*.js", "public/*.js"], ...ts.configs.disableTypeChecked },
  { files: ["public/*.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["src/**"], rules: { "no-restricted-syntax": ["error", ...patterns, ...places, ...games] } },
  { files: ["src/games/**"], rules: { "no-restricted-syntax": ["error", ...patterns, ...places] } },
  { files: takingApart, rules: { "no-restricted-syntax": ["error", ...places] } },
  {
    files: ["**/*.svelte"],
    rules: {
      // the linter sees no types across components; svelte-check does, strictly
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      // a space at the edge of a block is written as {" "}
      "svelte/no-useless-mustaches": "off",
    },
  },
);
