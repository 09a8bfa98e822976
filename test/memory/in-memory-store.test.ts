import { createInMemoryStore } from "../../src/memory/in-memory-store.ts";
import { testStore } from "../suites/store.suite.ts";

testStore("in memory", createInMemoryStore);
