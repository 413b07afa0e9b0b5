# The rooms of src/, from the lowest to the highest: one object library each. A room sees its own headers, those of the rooms
# that it may include, and what those may include; any other include does not compile (tests/project/test_rooms.py proves it).
#
# Each room gets an include directory, build/.../rooms/<room>, which contains only a link to src/<room>. All rooms see
# include/salvo/.

# room | rooms it may include, beyond what these include themselves | compile | web | part of
#
# compile   hot: fully optimized; cold: -O1, since no benchmark spends time there and compile time matters more;
#           alone: hot, but each file separately, since the compiler inlines less in a batch of files.
# web       yes: also in the WebAssembly engine, compiled for size except for salvo_web_fast.
# part of   library: part of libsalvo; program: only in the program.
set(salvo_room_table
    "base    |                            | hot   | yes | library"
    "data    | base                       | cold  | yes | library"
    "game    | base                       | alone | yes | library"
    "load    | data                       | cold  | yes | library"
    "compile | load game                  | hot   | yes | library"
    "exact   | game                       | alone | yes | library"
    "sample  | game                       | hot   | yes | library"
    "answers | compile exact sample       | cold  | yes | library"
    "decide  | answers                    | cold  | yes | library"
    "review  | decide                     | cold  | yes | library"
    "study   | decide                     | cold  | yes | library"
    "hazard  | answers                    | cold  | yes | library"
    "cards   | answers                    | cold  | yes | library"
    "battle  | study                      | hot   | yes | library"
    "report  | review battle hazard cards | cold  | yes | library"
    "questions | report                   | cold  | yes | library"
    "api     | questions                  | cold  | yes | library"
    "jobs    | report                     | cold  | no  | program"
    "serve   | api                        | cold  | no  | program"
    "cli     | serve jobs                 | cold  | no  | program")

# Files whose options differ from their room's.
set(salvo_cold_files exact/certificate.cpp exact/durability.cpp exact/solve.cpp)
# What every answer and every line of a batch passes through.
set(salvo_hot_files
    answers/estimates.cpp data/json.cpp data/node.cpp data/pack.cpp data/value.cpp load/index_file.cpp load/scenario_tree.cpp
    report/json_figures.cpp report/json_writer.cpp report/report_json.cpp)
set(salvo_alone_files
    compile/deck_memory.cpp
    # These define macros for heavy headers, which other files of a batch must not see.
    battle/equilibrium.cpp data/toml.cpp report/sqlite.cpp sample/bitsliced/native_code.cpp sample/vector/vector_kernel.cpp
    # web/engine/CMakeLists.txt compiles these again for a first visit.
    load/linear_feasibility.cpp load/spec_ships.cpp load/squads/squad_text.cpp questions/question.cpp)
# CLI11's code is compiled in each object, so these share a batch.
set(salvo_first_files cli/arguments.cpp cli/cards_command.cpp cli/manual.cpp cli/options.cpp)

# Files that need an optional library of the program, or the room battle. They are left out without it.
set(salvo_program_files battle/equilibrium.cpp report/sqlite.cpp report/sqlite_atlas.cpp report/sqlite_sweep.cpp)
set(salvo_battle_files report/battle.cpp report/battle_html.cpp report/battle_plots.cpp report/battle_worth.cpp
    questions/battle_side.cpp)

# In WebAssembly only inner loops are worth larger code. They need -finline-functions, since emscripten passes -Oz first, which
# disables inlining.
set(salvo_web_fast
    game/damage.cpp game/evaluate.cpp game/options.cpp game/payoff.cpp game/perform.cpp game/play.cpp
    exact/graph/graph.cpp exact/segments/arena.cpp exact/segments/segment_graph_builder.cpp
    exact/segments/segment_graph.cpp exact/segments/segment_backward.cpp
    exact/segments/state_merging.cpp exact/tables/token_decide.cpp
    exact/tables/token_parts.cpp exact/tables/token_solve.cpp sample/lanes/lane_tally.cpp
    sample/lanes/lanes.cpp sample/vector/random_words.cpp
    sample/vector/vector_kernel.cpp)
set(salvo_web_fastest game/evaluate.cpp game/play.cpp)

# The libraries of a room beyond those of all rooms.
set(salvo_libraries_data tomlplusplus::tomlplusplus)
set(salvo_libraries_load nlohmann_json::nlohmann_json)
set(salvo_libraries_sample hwy::hwy)
set(salvo_libraries_report nlohmann_json::nlohmann_json)
set(salvo_libraries_cli CLI11::CLI11)
if(SQLite3_FOUND)
  list(APPEND salvo_libraries_report SQLite::SQLite3)
endif()

# Several files of a room are compiled as one batch. It processes common headers and instantiations once, which halves the
# time. The files of a batch see each other's unnamed namespaces, so names in a room must be unique.
option(SALVO_UNITY "Compile the files of a room in batches" OFF)
set(salvo_unity_batch_hot 4)
set(salvo_unity_batch_cold 8)

# Optional features. Without one, its room is left out and the program reports that when the feature is used. The files that
# depend on it include generated/features.h.
option(SALVO_SERVE "Build `salvo serve`, the server (needs Boost.Beast)" ON)
option(SALVO_BATTLES "Build `salvo battle` and `salvo gauntlet`" ON)
find_path(salvo_beast boost/beast/http/parser.hpp HINTS ${Boost_INCLUDE_DIRS})
set(salvo_absent_rooms)
set(salvo_has_server 1)
if(NOT SALVO_SERVE OR NOT salvo_beast)
  message(STATUS "Without `salvo serve`: SALVO_SERVE is off, or Boost.Beast is missing")
  list(APPEND salvo_absent_rooms serve)
  set(salvo_has_server 0)
endif()
set(salvo_has_battles 1)
if(NOT SALVO_BATTLES)
  message(STATUS "Without `salvo battle` and `salvo gauntlet`: SALVO_BATTLES is off")
  list(APPEND salvo_absent_rooms battle)
  set(salvo_has_battles 0)
endif()
# Written only if it changes, so that enabling a feature compiles only its room and the few files that depend on it.
file(
  CONFIGURE
  OUTPUT "${PROJECT_BINARY_DIR}/features/generated/features.h"
  CONTENT "// Which optional features are built (docs/build.md: Targets).
#pragma once
#define SALVO_HAS_SERVER @salvo_has_server@
#define SALVO_HAS_BATTLES @salvo_has_battles@
"
  @ONLY)

# Reads the table: salvo_room_names, and for each room salvo_below_<room>, salvo_compile_<room>, salvo_web_<room>,
# salvo_part_<room>.
set(salvo_room_names)
foreach(row IN LISTS salvo_room_table)
  string(REGEX MATCH "^([a-z]+) *\\|([a-z ]*)\\| *([a-z]+) *\\| *([a-z]+) *\\| *([a-z]+)$" matched "${row}")
  if(NOT matched)
    message(FATAL_ERROR "cmake/Rooms.cmake: this row of the table of rooms cannot be read: ${row}")
  endif()
  set(room "${CMAKE_MATCH_1}")
  list(APPEND salvo_room_names "${room}")
  separate_arguments(salvo_below_${room} UNIX_COMMAND "${CMAKE_MATCH_2}")
  set(salvo_compile_${room} "${CMAKE_MATCH_3}")
  set(salvo_web_${room} "${CMAKE_MATCH_4}")
  set(salvo_part_${room} "${CMAKE_MATCH_5}")
endforeach()

# salvo_room_closure(OUT ROOM): the rooms whose headers ROOM sees, itself included.
function(salvo_room_closure out room)
  set(reached "${room}")
  foreach(below IN LISTS salvo_below_${room})
    salvo_room_closure(further "${below}")
    list(APPEND reached ${further})
  endforeach()
  list(REMOVE_DUPLICATES reached)
  set(${out} "${reached}" PARENT_SCOPE)
endfunction()

# salvo_add_rooms(): object libraries of each room with sources. Sets salvo_rooms to their names, salvo_library_objects to
# the object files of the library, salvo_program_objects to those that only the program has, salvo_objects_<room> to those of
# a room, and salvo_room_includes to the include directories of all rooms, for tests and benchmarks.
function(salvo_add_rooms)
  file(GLOB folders RELATIVE "${PROJECT_SOURCE_DIR}/src" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*")
  foreach(folder IN LISTS folders)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/src/${folder}" AND NOT folder IN_LIST salvo_room_names)
      message(FATAL_ERROR "src/${folder} is not in the table of rooms in cmake/Rooms.cmake")
    endif()
  endforeach()
  set(includes)
  foreach(room IN LISTS salvo_room_names)
    list(APPEND includes "${PROJECT_BINARY_DIR}/rooms/${room}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/rooms/${room}")
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${room}" "${PROJECT_BINARY_DIR}/rooms/${room}/${room}" SYMBOLIC)
  endforeach()
  set(rooms)
  foreach(room IN LISTS salvo_room_names)
    if(room IN_LIST salvo_absent_rooms OR (EMSCRIPTEN AND NOT salvo_web_${room}))
      continue() # its headers remain visible, so that the other rooms have the same compile options
    endif()
    list(APPEND rooms "${room}")
    salvo_add_room("${room}")
    set(salvo_objects_${room} "${objects}" PARENT_SCOPE)
    if(salvo_part_${room} STREQUAL "library")
      list(APPEND library_objects ${objects})
    else()
      list(APPEND program_objects ${objects})
    endif()
  endforeach()
  set(salvo_rooms "${rooms}" PARENT_SCOPE)
  set(salvo_room_includes "${includes}" PARENT_SCOPE)
  set(salvo_library_objects "${library_objects}" PARENT_SCOPE)
  set(salvo_program_objects "${program_objects}" PARENT_SCOPE)
endfunction()

# salvo_add_room(ROOM): adds its object libraries. Sets `objects` to their object files, and appends those of files that only
# the program has to `program_objects`.
function(salvo_add_room room)
  file(GLOB_RECURSE sources RELATIVE "${PROJECT_SOURCE_DIR}/src" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.cpp")
  list(REMOVE_ITEM sources cli/main.cpp)
  foreach(file IN LISTS salvo_first_files)
    if(file IN_LIST sources)
      list(REMOVE_ITEM sources "${file}")
      list(PREPEND sources "${file}")
    endif()
  endforeach()
  set(heat hot)
  if(salvo_compile_${room} STREQUAL "cold")
    set(heat cold)
  endif()
  set(objects)
  set(cold_sources)
  set(hot_sources)
  set(program_sources)
  foreach(file IN LISTS sources)
    if(file IN_LIST salvo_battle_files)
      # Last, so that the batches of the other files do not depend on battles.
      list(REMOVE_ITEM sources "${file}")
      if(SALVO_BATTLES)
        list(APPEND sources "${file}")
      endif()
    elseif(file IN_LIST salvo_program_files)
      list(REMOVE_ITEM sources "${file}")
      list(APPEND program_sources "${file}")
    elseif(file IN_LIST salvo_cold_files AND NOT EMSCRIPTEN)
      list(REMOVE_ITEM sources "${file}")
      list(APPEND cold_sources "${file}")
    elseif(file IN_LIST salvo_hot_files AND NOT EMSCRIPTEN)
      list(REMOVE_ITEM sources "${file}")
      list(APPEND hot_sources "${file}")
    endif()
    if(file IN_LIST salvo_alone_files)
      set_source_files_properties("src/${file}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    if(EMSCRIPTEN AND file IN_LIST salvo_web_fast)
      set(speed -Os)
      if(file IN_LIST salvo_web_fastest)
        set(speed -O2)
      endif()
      # The precompiled header requires the same options.
      set_source_files_properties("src/${file}" PROPERTIES COMPILE_OPTIONS "${speed};-finline-functions"
                                                           SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  salvo_add_objects("salvo_room_${room}" "${room}" "${heat}" ${sources})
  if(cold_sources)
    salvo_add_objects("salvo_room_${room}_cold" "${room}" cold ${cold_sources})
  endif()
  if(hot_sources)
    salvo_add_objects("salvo_room_${room}_hot" "${room}" hot ${hot_sources})
  endif()
  if(program_sources AND NOT EMSCRIPTEN)
    set(library_objects "${objects}")
    salvo_add_objects("salvo_room_${room}_program" "${room}" cold ${program_sources})
    list(REMOVE_ITEM objects ${library_objects})
    set(program_objects ${program_objects} ${objects} PARENT_SCOPE)
    set(objects "${library_objects}")
  endif()
  set(objects "${objects}" PARENT_SCOPE)
endfunction()

# salvo_add_objects(TARGET ROOM hot|cold SOURCE...): adds an object library of files of a room, and appends it to `objects`.
function(salvo_add_objects target room heat)
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/src/" OUTPUT_VARIABLE sources)
  add_library("${target}" OBJECT ${sources})
  salvo_room_closure(seen "${room}")
  foreach(name IN LISTS seen)
    target_include_directories("${target}" PRIVATE "${PROJECT_BINARY_DIR}/rooms/${name}")
  endforeach()
  target_include_directories("${target}" PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/features")
  target_link_libraries("${target}" PRIVATE salvo_flags ${salvo_common_libraries} ${salvo_libraries_${room}})
  set(precompiled salvo_precompiled)
  if(heat STREQUAL "cold")
    set(precompiled salvo_precompiled_cold)
    target_compile_options("${target}" PRIVATE ${salvo_cold_options})
  endif()
  target_precompile_headers("${target}" REUSE_FROM "${precompiled}")
  if(SALVO_UNITY AND NOT (heat STREQUAL "hot" AND salvo_compile_${room} STREQUAL "alone"))
    set_target_properties("${target}" PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE "${salvo_unity_batch_${heat}}")
    # In a batch, gcc warns about unnamed namespaces as if the files were headers.
    target_compile_options("${target}" PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  set(objects ${objects} "$<TARGET_OBJECTS:${target}>" PARENT_SCOPE)
endfunction()
