// Everything that can be wrong with a model text: what the reader says, where, and that it never breaks.
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/platform/files.h"
#include "format/mjcf/mjcf.h"

typedef struct Case {
    const char* text; // inside <mujoco>
    snStatus status;
    const char* message; // a part of it
} Case;

#define MODEL SN_STATUS_MODEL
#define LATER SN_STATUS_UNSUPPORTED
#define SYNTAX SN_STATUS_SYNTAX
#define G(attributes) "<worldbody><geom " attributes "/></worldbody>"
#define W(children) "<worldbody>" children "</worldbody>"
#define B(children) "<worldbody><body>" children "</body></worldbody>"
#define A(element) "<actuator>" element "</actuator>"
#define S(element) "<sensor>" element "</sensor>"

// clang-format off
static const Case cases[] = {
    {"<foo/>", MODEL, "<foo>: unknown element in <mujoco> at m.xml:2"},
    {"<body/>", MODEL, "<body>: it stands beside <worldbody>: put it into that at m.xml:2"},
    {"<frame name='f'/>", MODEL, "<frame name=\"f\">: it stands beside <worldbody>"},
    {"<worldbdy/>", MODEL, "did you mean <worldbody>?"},
    {W("<gem/>"), MODEL, "<gem>: unknown element in <worldbody>, did you mean <geom>?"},
    {G("sise='1'"), MODEL, "unknown attribute 'sise', did you mean 'size'?"},
    {G("name='n' sise='1'"), MODEL, "<geom name=\"n\">: unknown"},
    {G("qqqqqq='1'"), MODEL, "unknown attribute 'qqqqqq' at"},
    {G("type='spere'"), MODEL, "type=\"spere\": unknown word, did you mean 'sphere'?"},
    {G("type='Sphere'"), MODEL, "did you mean 'sphere'?"},
    {G("fluidshape='zzzzzz'"), MODEL, "expected one of: none, ellipsoid"},
    {G("size='1 2 3 4'"), MODEL, "size=\"1 2 3 4\": expected 1 to 3 numbers"},
    {G("pos='1 2'"), MODEL, "expected 3 numbers"},
    {G("mass='1 2'"), MODEL, "expected 1 number at"},
    {G("pos='1 2 x'"), MODEL, "expected a number"},
    {G("pos='1,2,3'"), MODEL, "expected a number"},
    {G("pos='1 2 1e999'"), MODEL, "too large"},
    {G("rgba='1 1 1 1e99'"), MODEL, "too large"},
    {G("pos='1 2 nan'"), MODEL, "nan is not a number"},
    {G("pos='1 2 inf'"), MODEL, "must be finite"},
    {G("user='1 x'"), MODEL, "expected a number"},
    {G("group='1.0'"), MODEL, "expected a whole number"},
    {G("group=''"), MODEL, "expected 1 number"},
    {G("group='99999999999999999999'"), MODEL, "too large"},
    {G("group='1 2'"), MODEL, "expected 1 number"},
    {G("shellinertia='True'"), MODEL, "did you mean 'true'?"},
    {G("quat='0 0 0 0'"), MODEL, "zero quaternion"},
    {G("quat='1 0 0 0' euler='0 0 0'"), MODEL, "'quat' and 'euler' are both an orientation"},
    {G("class='c'"), MODEL, "class=\"c\": there is no such default class"},
    {G("size='1' size='2'"), SYNTAX, "duplicate attribute"},
    {G("surfacevel='1'"), LATER, "'surfacevel' came after the MJCF that Sinew reads (3.3.7)"},
    {W("<geom><plugin/></geom>"), MODEL, "give 'plugin' or 'instance'"},
    {W("<geom><site/></geom>"), MODEL, "unknown element in <geom>"},
    {W("<geom name='a'/>\n<geom name='a'/>"), MODEL, "line 2 of m.xml has this name already, names must differ at m.xml:3"},
    {W("<body name='world'/>"), MODEL, "line 2 of m.xml has this name already"},
    {W("text"), SYNTAX, "<worldbody>: text inside it"},
    {W("<site type='plane'/>"), MODEL, "a site is a sphere"},
    {W("<joint/>"), MODEL, "the world has no joints, put it into a body"},
    {W("<freejoint/>"), MODEL, "the world has no joints, put it into a body"},
    {W("<inertial pos='0 0 0' mass='1'/>"), MODEL, "the world has no inertia, put it into a body"},
    {W("<light type='spot' directional='true'/>"), MODEL, "'directional' is an older way"},
    {"<worldbody name='w'/>", MODEL, "the world has no attributes, 'name'"},
    {W("<replicate/>"), MODEL, "attribute 'count' is missing"},
    {W("<replicate count='-1'/>"), MODEL, "count is -1, must not be negative"},
    {W("<replicate count='2000000'><replicate count='9'><body/></replicate></replicate>"), MODEL, "elements by replication"},
    {W("<attach/>"), MODEL, "attribute 'prefix' is missing"},
    {W("<attach prefix='a'/>"), MODEL, "attribute 'model' is missing"},
    {W("<attach model='m' prefix='a'/>"), MODEL, "there is no such model"},
    {W("<attach model='m' prefix='a'><geom/></attach>"), MODEL, "<attach> has no children"},
    {W("<composite/>"), MODEL, "attribute 'type' is missing"},
    {W("<flexcomp/>"), MODEL, "attribute 'name' is missing"},
    {W("<flexcomp name='c'/>"), MODEL, "<flexcomp name=\"c\">: count has 10 along z, of which type=\"grid\" of dim 2 has 1 at m.xml:2"},
    {W("<flexcomp name='c' typ='grid'/>"), MODEL, "did you mean 'type'?"},
    {W("<flexcomp name='c' type='sphere'/>"), MODEL, "expected one of: grid, box"},
    {W("<flexcomp name='c' count='3 3 1' quat='0 0 0 0'/>"), MODEL, "a zero quaternion is no orientation"},
    {W("<flexcomp name='c' count='3 3 1' zaxis='0 0 0'/>"), MODEL, "zaxis is zero"},
    {W("<flexcomp name='c' type='direct' point='1e300 0 0 1 0 0 0 1 0' element='0 1 2' scale='1e300 1 1'/>"), MODEL, "a coordinate of point"},
    {W("<flexcomp name='c' count='3 3 1' dof='trilinear'/>"), LATER, "dof=\"trilinear\" is not supported yet"},
    {W("<flexcomp name='c' count='3 3 1' cellcount='1 1 2'/>"), LATER, "'cellcount'"},
    {W("<flexcomp name='c' count='3 3 1'><edge equality='vert'/></flexcomp>"), MODEL, "no longer part of the language"},
    {W("<flexcomp name='c' count='3 3 1'><plugin/></flexcomp>"), MODEL, "give 'plugin' or 'instance'"},
    {W("<flexcomp name='c' dim='1' count='3 1 1'><elasticity young='1'/></flexcomp>"), LATER, "rods that bend and twist"},
    {W("<flexcomp name='c' count='3 3 1'><elasticity young='1' shear='2'/></flexcomp>"), LATER, "'shear'"},
    {W("<flexcomp name='c' count='3 3 1'><pin id='9'/></flexcomp>"), MODEL, "<pin>: id has point 9, there are 0 to 8"},
    {W("<flexcomp name='c' count='3 3 1'><pin id='x'/></flexcomp>"), MODEL, "expected whole numbers"},
    {W("<body><geom size='1'/><flexcomp name='c' count='3 3 1'/></body>"), MODEL, "must have a name"},
    {W("<replicate count='2'><flexcomp name='c' count='3 3 1'/></replicate>"), MODEL, "it stands in <replicate>"},
    {W("<flexcomp name='c' type='gmsh' file='none.msh'/>"), SN_STATUS_FILE, "none.msh"},
    {W("<frame class='c'/>"), MODEL, "unknown attribute 'class'"},
    {W("<frame name='f'/><frame name='f'/>"), MODEL, "names must differ"},
    {W("<body childclass='c'/>"), MODEL, "childclass=\"c\": there is no such default class"},
    {W("<body sleep='never'/>"), LATER, "'sleep' came after"},
    {B("<inertial mass='1'/>"), MODEL, "attribute 'pos' is missing"},
    {B("<inertial pos='' mass='1'/>"), MODEL, "attribute 'pos' is missing"},
    {B("<inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='1'/>"), MODEL, "only one may stand in <body>"},
    {B("<inertial pos='0 0 0' mass='1'/><frame><inertial pos='0 0 0' mass='1'/></frame>"), MODEL, "another stands at line"},
    {B("<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' quat='1 0 0 0'/>"), MODEL, "'fullinertia' and 'quat' exclude"},
    {B("<freejoint damping='1'/>"), MODEL, "unknown attribute 'damping'"},
    {"<tendon><fixed><site site='s'/></fixed></tendon>", MODEL, "<site>: unknown element in <fixed>; it may hold <joint> at m.xml:2"},
    {"<tendon><spatial><joint joint='j' coef='1'/></spatial></tendon>", MODEL, "unknown element in <spatial>"},
    {"<tendon><fixed width='1'/></tendon>", MODEL, "unknown attribute 'width'"},
    {"<tendon><fixed><joint joint='j'/></fixed></tendon>", MODEL, "attribute 'coef' is missing"},
    {"<tendon><spatial><pulley/></spatial></tendon>", MODEL, "attribute 'divisor' is missing"},
    {"<tendon><fixed name='t'/><fixed name='t'/></tendon>", MODEL, "names must differ"},
    {"<equality><weld/></equality>", MODEL, "<weld>: attribute 'body1' is missing"},
    {"<extension><plugin/></extension>", MODEL, "attribute 'plugin' is missing"},
    {"<extension><plugin plugin='a'><instance/></plugin></extension>", MODEL, "attribute 'name' is missing"},
    {"<extension><plugin plugin='a'><instance name='i'><config key='' value=''/></instance></plugin></extension>", MODEL, "attribute 'key' is empty"},
    {"<extension><plugins/></extension>", MODEL, "unknown element in <extension>, did you mean <plugin>?"},
    {"<extension name='x'/>", MODEL, "unknown attribute 'name'"},
    {"<deformable><skin/></deformable>", MODEL, "attribute 'name' is missing"},
    {"<deformable><flex name='f'/></deformable>", MODEL, "element' is missing"},
    {"<deformable><geom/></deformable>", MODEL, "unknown element in <deformable>"},
    {"<equality><flexstrain flex='f'/></equality>", LATER, "came after"},
    {W("<composite type='cable' count='4' curve='s'><geom type='capsule' size='.1'/><plugin plugin='a'/></composite>"), MODEL,
     "<plugin>: plugin=\"a\": it must be declared, <extension><plugin plugin=\"a\"/></extension>"},
    {"<asset><mesh/></asset>", MODEL, "<mesh>: attribute 'name' is missing, and no file names the mesh"},
    {"<asset><mesh name='m' vertex='0 0 x'/></asset>", MODEL, "vertex=\"0 0 x\": expected a number"},
    {"<asset><mesh name='m' vertex='0 0 1e39'/></asset>", MODEL, "a number is too large"},
    {"<asset><mesh name='m' face='0 1 2.5'/></asset>", MODEL, "expected whole numbers"},
    {"<asset><mesh name='m' scale='1 1'/></asset>", MODEL, "expected 3 numbers"},
    {"<asset><mesh name='m' maxhullvert='3'/></asset>", MODEL, "maxhullvert is 3, must be at least 4"},
    {"<asset><mesh name='m' builtin='shpere'/></asset>", MODEL, "did you mean 'sphere'?"},
    {"<asset><mesh name='m' builtin='sphere'/></asset>", MODEL, "'builtin' needs 'params'"},
    {"<asset><mesh builtin='sphere' params='1' file='a.stl'/></asset>", MODEL, "'builtin' and 'file' exclude each other"},
    {"<asset><mesh name='m' inertia='solid'/></asset>", MODEL, "expected one of: convex, exact, legacy, shell"},
    {"<asset><mesh file='d/a.stl'/><mesh file='a.obj'/></asset>", MODEL, "names must differ"},
    {"<default><mesh file='a.stl'/></default>", MODEL, "attribute 'file' is not allowed in a default"},
    {"<asset><mesh name='m'><plugin/></mesh></asset>", MODEL, "give 'plugin' or 'instance'"},
    {"<asset><hfield/></asset>", MODEL, "'size' is missing"},
    {"<asset><model/></asset>", MODEL, "attribute 'file' is missing"},
    {"<asset><texture builtin='flat' width='1' height='1'/></asset>", MODEL, "attribute 'name' is missing"},
    {"<asset><texture name='t'/></asset>", MODEL, "give 'builtin' or 'file'"},
    {"<asset><texture name='t' builtin='flat'/></asset>", MODEL, "positive width and height"},
    {"<asset><texture name='t' file='f' gridsize='9 9'/></asset>", MODEL, "gridsize"},
    {"<asset><texture name='t' file='f' gridlayout='abc'/></asset>", MODEL, "gridlayout"},
    {"<asset><material/></asset>", MODEL, "attribute 'name' is missing"},
    {"<asset><material name='m' texture='t'><layer texture='t' role='rgb'/></material></asset>", MODEL, "exclude each other"},
    {"<asset><material name='m'><layer texture='t'/></material></asset>", MODEL, "attribute 'role' is missing"},
    {"<custom><numeric name='n'/></custom>", MODEL, "1 to 500 numbers, this one 0"},
    {"<custom><numeric name='n' size='1' data='1 2'/></custom>", MODEL, "data has 2 numbers, size is 1"},
    {"<custom><numeric data='1'/></custom>", MODEL, "attribute 'name' is missing"},
    {"<custom><text name='n' data=''/></custom>", MODEL, "data is empty"},
    {"<custom><tuple name='n'/></custom>", MODEL, "it has no <element>"},
    {"<custom><tuple name='n'><element objtype='body' objname=''/></tuple></custom>", MODEL, "objname is empty"},
    {"<contact><pair geom1='a'/></contact>", MODEL, "attribute 'geom2' is missing"},
    {"<contact><exclude body1='a'/></contact>", MODEL, "attribute 'body2' is missing"},
    {"<contact foo='1'/>", MODEL, "unknown attribute 'foo'"},
    {"<default class='x'/>", MODEL, "the outermost default is 'main'"},
    {"<default foo='x'/>", MODEL, "only 'class' is allowed"},
    {"<default><default/></default>", MODEL, "attribute 'class' is missing"},
    {"<default><default class='a'/><default class='a'/></default>", MODEL, "names must differ"},
    {"<default><default class='main'/></default>", MODEL, "this name"},
    {"<default><geom name='g'/></default>", MODEL, "attribute 'name' is not allowed in a default"},
    {"<default><geom/><geom/></default>", MODEL, "only one may stand in <default>"},
    {"<default><freejoint/></default>", MODEL, "unknown element in <default>"},
    {"<default><muscle tausmooth='1'/></default>", MODEL, "'tausmooth' is not allowed in a default"},
    {"<default><tendon foo='1'/></default>", MODEL, "unknown attribute 'foo'"},
    {"<default><tendon rang='1'/></default>", MODEL, "unknown attribute 'rang', did you mean 'range'?"},
    {A("<motor/>"), MODEL, "it drives nothing"},
    {A("<motor joint='j' kp='1'/>"), MODEL, "unknown attribute 'kp'"},
    {A("<muscle/>"), MODEL, "it drives nothing"},
    {A("<muscle site='s'/>"), MODEL, "unknown attribute 'site'"},
    {A("<muscle joint='j' tausmooth='-1'/>"), MODEL, "tausmooth is -1, must not be negative"},
    {A("<muscle joint='j' timeconst='1'/>"), MODEL, "timeconst"},
    {A("<pid/>"), LATER, "it came after the MJCF that Sinew reads"},
    {A("<motor joint='j' site='s'/>"), MODEL, "give one of joint, jointinparent"},
    {A("<motor joint='j' tendon='t'/>"), MODEL, "give one of joint, jointinparent, tendon"},
    {A("<motor joint='j' refsite='s'/>"), MODEL, "'refsite' goes with 'site' alone"},
    {A("<motor joint='j' cranklength='1'/>"), MODEL, "belong to a slider-crank"},
    {A("<motor cranksite='s' cranklength='1'/>"), MODEL, "a slider-crank needs 'slidersite'"},
    {A("<adhesion joint='j'/>"), MODEL, "unknown attribute 'joint'"},
    {A("<adhesion body='b' gain='-1'/>"), MODEL, "gain is -1, must not be negative"},
    {A("<adhesion body='b' ctrlrange='-1 1'/>"), MODEL, "ctrlrange of an adhesion must not be negative"},
    {A("<damper joint='j' kv='-1'/>"), MODEL, "kv is -1, must not be negative"},
    {A("<damper joint='j' ctrlrange='-1 1'/>"), MODEL, "ctrlrange of a damper must not be negative"},
    {A("<intvelocity joint='j' kv='1' dampratio='1'/>"), MODEL, "'kv' and 'dampratio' exclude"},
    {A("<intvelocity joint='j' inheritrange='1' actrange='0 1'/>"), MODEL, "'actrange' and 'inheritrange' exclude"},
    {A("<cylinder joint='j' bias='1'/>"), MODEL, "bias"},
    {A("<position joint='j' kv='1' dampratio='1'/>"), MODEL, "'kv' and 'dampratio' exclude"},
    {A("<position joint='j' kv='-1'/>"), MODEL, "kv is -1, must not be negative"},
    {A("<position joint='j' dampratio='-1'/>"), MODEL, "dampratio is -1, must not be negative"},
    {A("<position joint='j' timeconst='-1'/>"), MODEL, "timeconst is -1, must not be negative"},
    {A("<position joint='j' inheritrange='1' ctrlrange='0 1'/>"), MODEL, "'ctrlrange' and 'inheritrange' exclude"},
    {S("<touch/>"), MODEL, "attribute 'site' is missing"},
    {S("<touch site=''/>"), MODEL, "attribute 'site' is empty"},
    {S("<tendonpos/>"), MODEL, "attribute 'tendon' is missing"},
    {S("<tactile geom='g'/>"), MODEL, "attribute 'mesh' is missing"},
    {S("<tactile mesh='m'/>"), MODEL, "attribute 'geom' is missing"},
    {S("<tactile geom='' mesh='m'/>"), MODEL, "attribute 'geom' is empty"},
    {S("<tactile geom='g' mesh='m' noise='1'/>"), MODEL, "noise"},
    {S("<tactile geom='g' mesh='m' cutoff='1'/>"), LATER, "'cutoff' came after"},
    {S("<plugin/>"), MODEL, "give 'plugin' or 'instance'"},
    {S("<gyro site='s' cutoff='-1'/>"), MODEL, "cutoff and noise"},
    {S("<framepos objtype='body' objname='b' reftype='body'/>"), MODEL, "both or none of 'reftype' and 'refname'"},
    {S("<framepos objtype='body'/>"), MODEL, "attribute 'objname' is missing"},
    {S("<framepos objtype='body' objname=''/>"), MODEL, "the name of its object is empty"},
    {S("<distance geom1='g'/>"), MODEL, "exactly one of geom2, body2"},
    {S("<distance geom1='g' body1='b' geom2='h'/>"), MODEL, "exactly one of geom1, body1"},
    {S("<contact geom1='g' site='s'/>"), MODEL, "at most one of geom1"},
    {S("<contact data='dist found'/>"), MODEL, "in this order"},
    {S("<contact num='0'/>"), MODEL, "must be from 1 to"},
    {S("<contact num='2000000000'/>"), MODEL, "must be from 1 to"},
    {S("<contact noise='1'/>"), LATER, "'noise' came after"},
    {S("<user dim='-1'/>"), MODEL, "dim is -1, must not be negative"},
    {S("<user dim='3' datatype='quaternion'/>"), MODEL, "4 for a quaternion"},
    {S("<user dim='3' objtype='body'/>"), MODEL, "both or none of 'objtype' and 'objname'"},
    {"<option><flag sleep='enable'/></option>", LATER, "'sleep' came after"},
    {"<option><flag gravity='true'/></option>", MODEL, "expected one of: disable, enable"},
    {"<option actuatorgroupdisable='31'/>", MODEL, "groups from 0 to 30"},
    {"<option actuatorgroupdisable='-1'/>", MODEL, "groups from 0 to 30"},
    {"<option><flag/><flag/></option>", MODEL, "only one may stand in <option>"},
    {"<compiler eulerseq='xy'/>", MODEL, "expected three letters of xyzXYZ"},
    {"<compiler coordinate='global'/>", MODEL, "left the language"},
    {"<compiler><lengthrange mode='some'/></compiler>", MODEL, "mode"},
    {"<size memory='1.5M'/>", MODEL, "expected bytes"},
    {"<size memory='1000E'/>", MODEL, "expected bytes"},
    {"<size memory='0'/>", MODEL, "expected bytes"},
    {"<size memory='1M' njmax='3'/>", MODEL, "'memory' and 'njmax' exclude"},
    {"<size nuser_geom='-2'/>", MODEL, "nuser_geom is -2, must be at least -1"},
    {"<statistic extent='0'/>", MODEL, "extent is 0, must be positive"},
    {"<visual><map znear='0'/></visual>", MODEL, "znear is 0, must be positive"},
    {"<visual><rgba fogg='1 1 1 1'/></visual>", MODEL, "did you mean 'fog'?"},
    {"<visual><global bvactive='1'/></visual>", MODEL, "expected one of: false, true"},
    {"<worldbody><include/></worldbody>", MODEL, "attribute 'file' is missing"},
    {"<worldbody><include file='a' x='1'/></worldbody>", MODEL, "only 'file' is allowed"},
    {"<worldbody><include file='no such file'/></worldbody>", SN_STATUS_FILE, "cannot read 'no such file'"},
    {"<worldbody><include file='/dev/null'/></worldbody>", SN_STATUS_FILE, "it is not a regular file"},
    {"<worldbody><include file='/tmp'/></worldbody>", SN_STATUS_FILE, "it is a folder"},
    {"<worldbody><include file='self.xml'/></worldbody>", MODEL, "<include>: './self.xml' is included already at self.xml:1"},
    {"<worldbody><include file='empty.xml'/></worldbody>", MODEL, "the file 'empty.xml' is empty"},
    {"<worldbody><include file='bare.xml'/></worldbody>", MODEL, "holds no elements"},
    {"<worldbody><include file='bad.xml'/></worldbody>", SYNTAX, "not well-formed XML: mismatched tag at bad.xml:2"},
    {"<worldbody><include file='bare.xml'><geom/></include></worldbody>", MODEL, "no children"},
    {"<worldbody>", SYNTAX, "not well-formed XML: mismatched tag at m.xml:2"},
    // what came after 3.3.7, and what only looks like it
    {"<compiler conflict='x'/>", LATER, "'conflict' came after"},
    {"<compiler passthrough='x'/>", LATER, "'passthrough' came after"},
    {"<compiler savecanonical='x'/>", LATER, "'savecanonical' came after"},
    {"<compiler savecompiled='x'/>", LATER, "'savecompiled' came after"},
    {"<option sleep_tolerance='1'/>", LATER, "'sleep_tolerance' came after"},
    {"<option><flag diagexact='enable'/></option>", LATER, "'diagexact' came after"},
    {"<option><flag ipc='enable'/></option>", LATER, "'ipc' came after"},
    {"<option><flag speculative='enable'/></option>", LATER, "'speculative' came after"},
    {"<option integrator='discrete'/>", LATER, "integrator=\"discrete\": this came after the MJCF that Sinew reads (3.3.7), it has Euler, RK4, implicit, implicitfast at"},
    {"<default><texture rgb1='1 1 1'/></default>", LATER, "<texture>: it came after"},
    {"<default><material><layer role='rgb' texture='t'/></material></default>", LATER, "<layer>: it came after"},
    {"<default><pid kp='1'/></default>", LATER, "<pid>: it came after"},
    {"<default><orientation kp='1'/></default>", LATER, "<orientation>: it came after"},
    {"<default><dcmotor/></default>", LATER, "<dcmotor>: it came after"},
    {"<default><joint springyield='1'/></default>", LATER, "'springyield' came after"},
    {"<default><tendon springyield='1'/></default>", LATER, "'springyield' came after"},
    {"<default><tendon stiffness='1 2'/></default>", LATER, "stiffness=\"1 2\": so many numbers came after the MJCF that Sinew reads (3.3.7), give 1"},
    {"<default><geom adhesion='1'/></default>", LATER, "'adhesion' came after"},
    {"<default><motor delay='1'/></default>", LATER, "'delay' came after"},
    {"<asset><texture name='t' class='c'/></asset>", LATER, "'class' came after"},
    {"<asset><texture name='t' embed='true'/></asset>", LATER, "'embed' came after"},
    {W("<body simple='false'/>"), LATER, "'simple' came after"},
    {W("<body fuse='auto'/>"), LATER, "'fuse' came after"},
    {W("<frame scale='2'/>"), LATER, "'scale' came after"},
    {W("<site mesh='m'/>"), LATER, "'mesh' came after"},
    {W("<attach model='m' prefix='p' frame='f'/>"), LATER, "'frame' came after"},
    {B("<joint stiffness='1 2 3'/>"), LATER, "so many numbers came after"},
    {B("<joint damping='1 2'/>"), LATER, "so many numbers came after"},
    {"<tendon><fixed damping='1 2 3'/></tendon>", LATER, "so many numbers came after"},
    {"<tendon><spatial springyield='1'/></tendon>", LATER, "'springyield' came after"},
    {"<equality><flexvert flex='f'/></equality>", LATER, "<flexvert>: it is neither in 3.3.7 nor in 4.0.1"},
    {A("<general ffrange='1'/>"), LATER, "'ffrange' came after"},
    {A("<general inheritrange='1'/>"), LATER, "'inheritrange' came after"},
    {A("<general input='1'/>"), LATER, "'input' came after"},
    {A("<general velrange='1'/>"), LATER, "'velrange' came after"},
    {A("<general armature='1'/>"), LATER, "'armature' came after"},
    {A("<general dyntype='pid'/>"), LATER, "dyntype=\"pid\": this came after"},
    {A("<general gaintype='so3'/>"), LATER, "gaintype=\"so3\": this came after"},
    {A("<general biastype='dcmotor'/>"), LATER, "biastype=\"dcmotor\": this came after"},
    {A("<muscle joint='j' damping='1'/>"), LATER, "'damping' came after"},
    {A("<intvelocity joint='j' actlimited='true'/>"), LATER, "'actlimited' came after"},
    {A("<adhesion body='b' nsample='1'/>"), LATER, "'nsample' came after"},
    {S("<gyro site='s' interval='1'/>"), LATER, "'interval' came after"},
    {S("<rangefinder camera='c'/>"), LATER, "'camera' came after"},
    {S("<insidesite site='s' enclosed='true'/>"), LATER, "'enclosed' came after"},
    {S("<contact data='found linvel'/>"), LATER, "data=\"found linvel\": linvel came after"},
    {"<keyframe><key plastic='1'/></keyframe>", LATER, "'plastic' came after"},
    {B("<joint stiffness='1 2 3 4'/>"), MODEL, "expected 1 number"},
    {B("<joint armature='1 2'/>"), MODEL, "expected 1 number"},
    {A("<adhesion body='b' damping='1'/>"), MODEL, "unknown attribute 'damping'"},
    {W("<body interval='1'/>"), MODEL, "unknown attribute 'interval'"},
    {W("<pid/>"), MODEL, "unknown element"},
    {"<option integrator='discret'/>", MODEL, "expected one of"},
};
// clang-format on

static const snAsset assets[] = {{"self.xml", "<x><include file='./self.xml'/></x>", 35},
                                 {"empty.xml", "", 0},
                                 {"bare.xml", "<x/>", 4},
                                 {"bad.xml", "<x>\n</y>", 8}};

// what is a warning is an error here, and models mean what MuJoCo 3.3.7 does
static const snLoadOptions strict = {.strict = true, .silent = "3.3.7"};

static void everyMistakeIsNamed(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, "<mujoco>\n%s</mujoco>", cases[i].text);
        snError error = {.status = SN_STATUS_OK};
        snSpec* spec = sn_readMJCFText(text, strlen(text), "m.xml", assets, 4, &strict, &error);
        if (spec || error.status != cases[i].status || !strstr(error.message, cases[i].message))
            print_error("%s\n  said (%d): %s\n  not (%d): %s\n", cases[i].text, (int)error.status,
                        spec ? "nothing" : error.message, (int)cases[i].status, cases[i].message);
        assert_null(spec);
        assert_int_equal(error.status, cases[i].status);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_non_null(strstr(error.message, error.file)); // the place is in the message too
    }
}

static snStatus statusOf(const char* text, size_t size, snError* error)
{
    *error = (snError){.status = SN_STATUS_OK};
    snSpec* spec = sn_readMJCFText(text, size, NULL, NULL, 0, &strict, error);
    sn_deleteSpec(spec);
    return error->status;
}

static void wholeTextsThatAreNoModels(void** state)
{
    (void)state;
    const struct {
        const char* text;
        snStatus status;
        const char* message;
    } texts[] = {
        {"", SYNTAX, "the model is empty"},
        {"   ", SYNTAX, "no element found"},
        {"junk", SYNTAX, "not well-formed"},
        {"<mujoco>", SYNTAX, "no element found"},
        {"<mujoco/><mujoco/>", SYNTAX, "junk after"},
        {"<scene/>", MODEL, "the root of a model must be <mujoco> or <robot>"},
        {"<mujoco foo='1'/>", MODEL, "only 'model' is allowed"},
        {"<mujoco model='\xff'/>", SYNTAX, "not well-formed"},
        {"<mujoco><!-- a </mujoco>", SYNTAX, "unclosed token"},
        {"<!DOCTYPE a [<!ENTITY b 'c'>]><mujoco/>", SYNTAX, "declarations are not allowed"},
        {"<mujoco model='&b;'/>", SYNTAX, "undefined entity"},
        {"<?xml version='1.0' encoding='klingon'?><mujoco/>", SYNTAX,
         "encoding=\"klingon\" is taken for UTF-8"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        snError error;
        assert_int_equal(statusOf(texts[i].text, strlen(texts[i].text), &error), texts[i].status);
        if (!strstr(error.message, texts[i].message)) fail_msg("%s: %s", texts[i].text, error.message);
    }
    assert_null(sn_readMJCF(NULL, NULL, 0, NULL, NULL));
    assert_null(sn_readMJCF("/nowhere/at/all.xml", NULL, 0, NULL, NULL));
    assert_null(sn_readMJCF("/tmp", NULL, 0, NULL, NULL));
    assert_null(sn_readMJCFText(NULL, 1, NULL, NULL, 0, NULL, NULL));
}

// Depth and width at the limits: an error or a model, no broken stack.
static void deepAndWide(void** state)
{
    (void)state;
    const int depth = 100000;
    char* text = malloc((size_t)depth * 20 + 100);
    assert_non_null(text);
    for (int n = 900; n <= depth; n = n == 900 ? depth : n + 1) {
        char* at = text + sprintf(text, "<mujoco><worldbody>");
        for (int i = 0; i < n; i++) at += sprintf(at, "<body>");
        for (int i = 0; i < n; i++) at += sprintf(at, "</body>");
        at += sprintf(at, "</worldbody></mujoco>");
        snError error;
        const snStatus status = statusOf(text, (size_t)(at - text), &error);
        assert_int_equal(status, n == 900 ? SN_STATUS_OK : SN_STATUS_SYNTAX);
        if (n > 900) assert_non_null(strstr(error.message, "nested too deep"));
    }
    char* at = text + sprintf(text, "<mujoco><worldbody><geom");
    for (int i = 0; i < depth; i++) at += sprintf(at, " a%d=''", i);
    at += sprintf(at, "/></worldbody></mujoco>");
    snError error;
    assert_int_equal(statusOf(text, (size_t)(at - text), &error), MODEL);
    free(text);
}

// Ways to include without end are stopped: a chain of files, each through two spellings of the next.
static void includesEnd(void** state)
{
    (void)state;
    enum { FILES = 60 };
    static char names[FILES][16], texts[FILES][100];
    snAsset files[FILES];
    for (int i = 0; i < FILES; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        snprintf(texts[i], sizeof texts[i], "<x><include file='f%d'/><include file='.//f%d'/></x>", i + 1,
                 i + 1);
        files[i] = (snAsset){names[i], texts[i], strlen(texts[i])};
    }
    const char* text = "<mujoco><worldbody><include file='f0'/></worldbody></mujoco>";
    snError error;
    assert_null(sn_readMJCFText(text, strlen(text), NULL, files, FILES, NULL, &error));
    assert_non_null(strstr(error.message, "files include each other"));
}

static void longWordsAreCut(void** state)
{
    (void)state;
    char text[3000];
    char* at = text + sprintf(text, "<mujoco><worldbody><geom name='");
    for (int i = 0; i < 500; i++) at += sprintf(at, "\xc3\xa9");
    sprintf(at, "' type='x'/></worldbody></mujoco>");
    snError error;
    assert_int_equal(statusOf(text, strlen(text), &error), MODEL);
    assert_non_null(strstr(error.message, "\xc3\xa9...\">: type=\"x\""));
}

static void numbers(void** state)
{
    (void)state;
    const snLocale c = sn_makeLocale();
    const struct {
        const char* text;
        snNumber result;
        double value;
    } reals[] = {
        {"1", SN_NUMBER_OK, 1},          {" -2.5e3 x", SN_NUMBER_OK, -2500},
        {"+.5", SN_NUMBER_OK, 0.5},      {"1.", SN_NUMBER_OK, 1},
        {"0x10", SN_NUMBER_OK, 16},      {"1e-400", SN_NUMBER_OK, 0},
        {"inf", SN_NUMBER_OK, INFINITY}, {"-Inf", SN_NUMBER_OK, -INFINITY},
        {"", SN_NUMBER_END, 0},          {" \t\n", SN_NUMBER_END, 0},
        {"x", SN_NUMBER_BAD, 0},         {"1,5", SN_NUMBER_BAD, 0},
        {"1d0", SN_NUMBER_BAD, 0},       {"--1", SN_NUMBER_BAD, 0},
        {"1e999", SN_NUMBER_RANGE, 0},   {"-1e999", SN_NUMBER_RANGE, 0},
        {"0.1", SN_NUMBER_OK, 0.1},      {"1.7976931348623157e308", SN_NUMBER_OK, 1.7976931348623157e308}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        const char* at = reals[i].text;
        double value = 0;
        assert_int_equal(sn_nextReal(&at, c, &value), reals[i].result);
        assert_true(value == reals[i].value);
        if (reals[i].result != SN_NUMBER_OK) assert_ptr_equal(at, reals[i].text);
    }
    // halfway between two doubles, told apart by a digit far behind: rounding is exact
    const char* half = "9007199254740993.00000000000000000000000000000000000000000000000001";
    double value;
    assert_int_equal(sn_nextReal(&half, c, &value), SN_NUMBER_OK);
    assert_true(value == 9007199254740994.0);
    sn_freeLocale(c);
    const struct {
        const char* text;
        snNumber result;
        int value;
    } ints[] = {{"7 8", SN_NUMBER_OK, 7},
                {" +7", SN_NUMBER_OK, 7},
                {"2147483647", SN_NUMBER_OK, 2147483647},
                {"-2147483648", SN_NUMBER_OK, -2147483647 - 1},
                {"2147483648", SN_NUMBER_RANGE, 0},
                {"-2147483649", SN_NUMBER_RANGE, 0},
                {"99999999999999999999999999999", SN_NUMBER_RANGE, 0},
                {"1.0", SN_NUMBER_BAD, 0},
                {"0x10", SN_NUMBER_BAD, 0},
                {"-", SN_NUMBER_BAD, 0},
                {"", SN_NUMBER_END, 0}};
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
        const char* at = ints[i].text;
        int number = 0;
        assert_int_equal(sn_nextInt(&at, &number), ints[i].result);
        assert_int_equal(number, ints[i].value);
    }
}

// In a locale whose decimal point is a comma (when the machine has one) numbers read the same, and what is
// made of a replicate and of a composite too, which are numbers written and read again.
static void localeDoesNotMatter(void** state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) setlocale(LC_ALL, "fr_FR.UTF-8");
    const char* text = "<mujoco><option timestep='0.25'/></mujoco>";
    const char* copies =
        "<mujoco><worldbody><replicate count='2' offset='.25 0 0'><geom size='.1'/></replicate>"
        "<composite type='cable' prefix='c' count='3 1 1' size='.75' curve='s'>"
        "<geom type='capsule' size='.01'/></composite></worldbody></mujoco>";
    snSpec* spec = sn_readMJCFText(text, strlen(text), NULL, NULL, 0, NULL, NULL);
    snError error = {0};
    snModel* m = sn_loadModelText(copies, strlen(copies), NULL, 0, NULL, &error);
    setlocale(LC_ALL, "C");
    if (!m) fail_msg("%s", error.message);
    assert_true(m->geom_pos[3] == 0.25);
    assert_true(m->body_pos[3 * (m->nbody - 1)] == 0.375);
    sn_deleteModel(m);
    assert_non_null(spec);
    assert_true(spec->option.timestep == 0.25);
    sn_deleteSpec(spec);
}

#ifdef SN_TEST_HOOKS
static int allowed;

static int fewAllocations(size_t size, void* user)
{
    (void)size, (void)user;
    return allowed-- > 0;
}

// The N-th allocation fails, for every N: an error that says so, nothing leaks (the sanitizers watch).
static void memoryRunsOut(void** state)
{
    (void)state;
    const char* text =
        "<mujoco><default><default class='a'><geom user='1 2'/></default></default><worldbody>"
        "<include file='bare2.xml'/><body name='b' childclass='a'><geom/><joint name='j'/></body>"
        "</worldbody><actuator><motor joint='j'/></actuator></mujoco>";
    const snAsset file = {"bare2.xml", "<x><geom/></x>", 14};
    for (int n = 0;; n++) {
        assert_true(n < 1000);
        allowed = n;
        sn_setAllocHook(fewAllocations, NULL);
        snError error = {.status = SN_STATUS_OK};
        snSpec* spec = sn_readMJCFText(text, strlen(text), NULL, &file, 1, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        sn_deleteSpec(spec);
        if (spec) {
            assert_true(n > 5);
            break;
        }
        assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    }
}
#endif

static void write(const char* path, const char* text)
{
    assert_int_equal(sn_writeFile(path, text, strlen(text), NULL), SN_STATUS_OK);
}

static void filesAreRead(void** state)
{
    (void)state;
    static const char main_path[] = "mjcf errors/main.xml", part_path[] = "mjcf errors/part.xml";
    assert_int_equal(sn_makeFolder("mjcf errors", NULL), SN_STATUS_OK);
    write(main_path, "<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>");
    write(part_path, "<x>\n<geom/></x>");
    snError error;
    snSpec* spec = sn_readMJCF(main_path, NULL, 0, NULL, &error);
    assert_non_null(spec);
    assert_int_equal(spec->world->geoms.first->head.place.line, 2);
    assert_string_equal(spec->world->geoms.first->head.place.file, part_path);
    sn_deleteSpec(spec);
    write(part_path, "<x><include file='main.xml'/></x>");
    assert_null(sn_readMJCF(main_path, NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "'main.xml' is included already"));
    assert_int_equal(sn_removeFile(main_path), 0);
    assert_int_equal(sn_removeFile(part_path), 0);
}

static void newerLooksArePassedOver(void** state)
{
    (void)state;
    static const char text[] =
        "<mujoco><default><light softness='1'/></default><worldbody><light softness='0.5'/>"
        "<camera projection='perspective' output='depth'/><geom size='1' castshadow='false'/>"
        "</worldbody></mujoco>";
    static const char* const names[] = {"softness", "projection", "output", "castshadow"};
    snError error;
    snWarnings warnings = {0};
    snModel* m = sn_loadModelText(text, strlen(text), NULL, 0,
                                  &(snLoadOptions){.warnings = &warnings, .silent = "3.3.7"}, &error);
    if (!m) fail_msg("%s", error.message);
    sn_deleteModel(m);
    for (int k = 0; k < 4; k++) {
        bool said = false;
        for (int i = 0; i < warnings.count; i++)
            said |= strstr(warnings.list[i].message, names[k]) &&
                    strstr(warnings.list[i].message, "came after the MJCF that Sinew reads (3.3.7)");
        if (!said) fail_msg("no warning of %s", names[k]);
    }
    sn_freeWarnings(&warnings);
    assert_null(sn_loadModelText(text, strlen(text), NULL, 0, &strict, &error));
    assert_int_equal(error.line, 1);
}

// What is passed over hides no attribute that is missing.
static void missingBesidePassedOver(void** state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><replicate prefix='a'><geom size='1'/></replicate></worldbody></mujoco>";
    snError error;
    assert_null(sn_readMJCFText(text, strlen(text), NULL, NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "attribute 'count' is missing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyMistakeIsNamed),
        cmocka_unit_test(newerLooksArePassedOver),
        cmocka_unit_test(missingBesidePassedOver),
        cmocka_unit_test(wholeTextsThatAreNoModels),
        cmocka_unit_test(deepAndWide),
        cmocka_unit_test(includesEnd),
        cmocka_unit_test(longWordsAreCut),
        cmocka_unit_test(numbers),
        cmocka_unit_test(localeDoesNotMatter),
        cmocka_unit_test(filesAreRead),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(memoryRunsOut),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
